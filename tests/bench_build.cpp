// SPDX-License-Identifier: MIT
// Building: our complete corridor map against the bare diagrams of Boost.Polygon and CGAL, and
// against the navigation polygon that Godot bakes.
//
//   bench_build [--json] [--runs N] [SCENE ...]     scenes as in scenes.h, and `godot`
//
// Ours is everything that a user waits for: create the map, add all obstacles, update, destroy. The
// peers get the walls that come out of our snapping, so they have less to do, and make no annotated
// graph. Every measurement is a process of its own; all contestants take turns, and the best of all
// runs counts. Times of one thread are processor time, those of two threads are compared by the
// clock. Memory is the peak beyond the input.
//
// Loading is that of the same map from memory, against building it: in a process of its own, like
// everything else, where most of the time goes into pages that are touched for the first time; and
// warm, taking turns with building in one process that keeps its memory, as a running game does.
//
// Godot's bake is timed by itself, by the clock, for one radius; ours serves all of them. It needs
// the engine, whose path is in the environment as GODOT; tools/bench sets it.

#include "measure.h"
#include "peers.h"
#include "scenes.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <malloc.h>

static const int DEFAULT_RUNS = 3;

static std::vector<Wall> find_walls(const TestScene& made)
{
	std::vector<char> bytes = compute_in_child(
		[&]
		{
			NcMap* map = scenes_build_map(&made, 1, nullptr);
			std::vector<Wall> walls = Walls(map).all();
			const char* begin = reinterpret_cast<const char*>(walls.data());
			return std::vector<char>(begin, begin + walls.size() * sizeof(Wall));
		});
	const Wall* begin = reinterpret_cast<const Wall*>(bytes.data());
	return std::vector<Wall>(begin, begin + bytes.size() / sizeof(Wall));
}

// Somebody who is measured.
struct Contestant
{
	const char* name;
	std::function<void()> work;
	Measurement best;
};

static void build_ours(const TestScene& made, int thread_count)
{
	nc_map_destroy(scenes_build_map(&made, thread_count, nullptr));
}

static bool append_bytes(void* context, const void* data, size_t size)
{
	std::vector<char>& bytes = *static_cast<std::vector<char>*>(context);
	const char* begin = static_cast<const char*>(data);
	bytes.insert(bytes.end(), begin, begin + size);
	return true;
}

static std::vector<char> save_ours(const TestScene& made)
{
	return compute_in_child(
		[&]
		{
			std::vector<char> bytes;
			NcMap* map = scenes_build_map(&made, 1, nullptr);
			return nc_map_save(map, append_bytes, &bytes) == NC_OK ? bytes : std::vector<char>();
		});
}

static void load_ours(const std::vector<char>& saved)
{
	NcMapDef def = nc_default_map_def();
	NcMap* map;
	if (nc_map_load(&def, saved.data(), saved.size(), &map, nullptr) != NC_OK)
	{
		_Exit(2);
	}
	nc_map_destroy(map);
}

static double measure_cpu_seconds(const std::function<void()>& work)
{
	clock_t start = clock();
	work();
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

// The best times of building and loading, in a process that gives no memory back.
struct WarmTimes
{
	double build = HUGE_VAL, load = HUGE_VAL;
};

static WarmTimes measure_warm(const TestScene& made, const std::vector<char>& saved, int runs)
{
	std::vector<char> bytes = compute_in_child(
		[&]
		{
			mallopt(M_MMAP_MAX, 0);
			mallopt(M_TRIM_THRESHOLD, INT_MAX);
			WarmTimes best;
			for (int run = 0; run <= runs; ++run)
			{
				double build = measure_cpu_seconds([&] { build_ours(made, 1); });
				double load = measure_cpu_seconds([&] { load_ours(saved); });
				if (run > 0) // the first one warms up
				{
					best.build = std::min(best.build, build);
					best.load = std::min(best.load, load);
				}
			}
			const char* begin = reinterpret_cast<const char*>(&best);
			return std::vector<char>(begin, begin + sizeof(best));
		});
	return *reinterpret_cast<const WarmTimes*>(bytes.data());
}

// A peer that makes nothing must not win.
static void require(size_t count)
{
	if (count == 0)
	{
		_Exit(2);
	}
}

static void measure(std::vector<Contestant>& contestants, int runs)
{
	for (int run = 0; run < runs; ++run)
	{
		for (Contestant& c : contestants)
		{
			Measurement m = measure_in_child(c.work);
			c.best = run == 0 ? m : best_of(c.best, m);
		}
	}
}

static void bench_scene(const char* name, int runs, Output output)
{
	TestScene made;
	if (!scenes_make(name, &made))
	{
		exit(2);
	}
	std::vector<Wall> walls = find_walls(made);
	std::vector<char> saved = save_ours(made);
	std::vector<Contestant> contestants = {
		{"ours", [&] { build_ours(made, 1); }, {}},
		{"two threads", [&] { build_ours(made, 2); }, {}},
		{"loading", [&] { load_ours(saved); }, {}},
		{"Boost", [&] { require(boost_build(walls)); }, {}},
		{"CGAL", [&] { require(cgal_build(walls)); }, {}},
	};
	measure(contestants, runs);

	const Measurement& ours = contestants[0].best;
	const Measurement& threads = contestants[1].best;
	const Measurement& loading = contestants[2].best;
	for (size_t i = 3; i < contestants.size(); ++i)
	{
		const Contestant& peer = contestants[i];
		print_row(output, {"build", name, peer.name, "s", ours.cpu_seconds, peer.best.cpu_seconds});
		print_row(output, {"build_memory", name, peer.name, "MiB", ours.memory, peer.best.memory});
	}
	print_row(output,
		{"build_threads", name, "one thread", "s", threads.wall_seconds, ours.wall_seconds});
	print_row(output, {"load", name, "building", "s", loading.cpu_seconds, ours.cpu_seconds});
	WarmTimes warm = measure_warm(made, saved, runs);
	print_row(output, {"load_warm", name, "building", "s", warm.load, warm.build});
	scenes_destroy(&made);
}

// Godot needs seconds for a scene that takes us milliseconds, so there is one scene for it.
static const char* const GODOT_SCENE = "city:30";

static void bench_godot(int runs, Output output)
{
	TestScene made;
	if (!scenes_make(GODOT_SCENE, &made))
	{
		exit(2);
	}
	std::vector<Contestant> contestants = {{"ours", [&] { build_ours(made, 1); }, {}}};
	measure(contestants, runs);
	double seconds = godot_bake(made, runs);
	if (seconds > 0.0)
	{
		print_row(output,
			{"build", GODOT_SCENE, "Godot's bake", "s", contestants[0].best.wall_seconds, seconds});
	}
	else
	{
		fprintf(stderr, "Godot's bake is not measured: GODOT must be the path of the engine.\n");
	}
	scenes_destroy(&made);
}

int main(int argc, char** argv)
{
	Output output = Output::TABLE;
	int runs = DEFAULT_RUNS;
	std::vector<const char*> scenes;
	for (int i = 1; i < argc; ++i)
	{
		if (strcmp(argv[i], "--json") == 0)
		{
			output = Output::JSON;
		}
		else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
		{
			runs = atoi(argv[++i]);
		}
		else
		{
			scenes.push_back(argv[i]);
		}
	}
	if (runs < 1)
	{
		fprintf(stderr, "usage: bench_build [--json] [--runs N] [SCENE ...]\n");
		return 2;
	}
	bool asks_godot = scenes.empty();
	if (scenes.empty())
	{
		scenes = {"mckenna", "city:98", "city17:98", "random:100000", "gons:20", "comb:1000"};
	}
	print_head(output);
	for (const char* scene : scenes)
	{
		if (strcmp(scene, "godot") == 0)
		{
			asks_godot = true;
			continue;
		}
		bench_scene(scene, runs, output);
	}
	if (asks_godot)
	{
		bench_godot(runs, output);
	}
	return 0;
}
