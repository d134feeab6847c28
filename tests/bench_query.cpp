// SPDX-License-Identifier: MIT
// Questions: our fast search against our plain A*, and our routes against Detour's.
//
//   bench_query [--json] [--pairs N] [--blocks N]
//
// across: the search alone, between random points near opposite corners. edited: the same, a block
// having been removed or put back before each search; what the query does to follow counts. any:
// between random points of the whole city. repair: a block was put onto the path; repairing it
// against searching again. reach: whether a disc gets from one random point to
// another. route: points in, final path points out, against Detour on the same streets and
// crossings as polygons; radius zero, because its mesh has none to spare. Like Detour's, these
// routes are pulled tight in one corridor; best: the same with the default budget for looking at
// others.

#include "measure.h"
#include "peer_detour.h"
#include "scenes.h"
#include "scenes_kinds.h"
#include "search_only.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

struct Options
{
	Output output = Output::TABLE;
	int pairs = 60;
	int blocks = 98;
};

struct Pair
{
	NcVec2 start, goal;
};

struct City
{
	std::string name;
	TestScene made;
	std::vector<NcObstacleId> ids;
	NcMap* map = nullptr;
	NcQuery* query = nullptr;

	explicit City(const std::string& scene) : name(scene)
	{
		if (!scenes_make(scene.c_str(), &made))
		{
			exit(2);
		}
		ids.resize(made.scene.shape_count);
		map = scenes_build_map(&made, 1, ids.data());
		if (nc_query_create(map, &query) != NC_OK)
		{
			exit(1);
		}
	}

	~City()
	{
		nc_query_destroy(query);
		nc_map_destroy(map);
		scenes_destroy(&made);
	}
};

static const double RADIUS = 0.5;

static void require(bool condition, const char* what)
{
	if (!condition)
	{
		fprintf(stderr, "bench_query: %s\n", what);
		exit(1);
	}
}

static NcVec2 choose_point(City& city, NcBox box, uint64_t* seed)
{
	NcVec2 p;
	do
	{
		p.x = scenes_random_double(seed, box.lower.x, box.upper.x);
		p.y = scenes_random_double(seed, box.lower.y, box.upper.y);
	} while (nc_query_get_clearance(city.query, p) < 2.0 * RADIUS);
	return p;
}

// Pairs of points in two parts of the city, each a share of its width, at opposite corners.
static std::vector<Pair> choose_pairs(City& city, double share, int count, uint64_t seed)
{
	NcBox bounds = city.made.bounds;
	NcVec2 size = nc_scale(share, nc_sub(bounds.upper, bounds.lower));
	NcBox low = {bounds.lower, nc_add(bounds.lower, size)};
	NcBox high = {nc_sub(bounds.upper, size), bounds.upper};
	std::vector<Pair> pairs;
	for (int i = 0; i < count; ++i)
	{
		NcVec2 start = choose_point(city, low, &seed);
		pairs.push_back({start, choose_point(city, high, &seed)});
	}
	return pairs;
}

static double get_cpu_seconds()
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Processor time: other work on the machine must not count.
static double measure_microseconds(const std::function<void()>& work)
{
	double begin = get_cpu_seconds();
	work();
	return 1e6 * (get_cpu_seconds() - begin);
}

// The median over pairs of the time of a question. Each pair is asked several times in a row, so
// that the clock does not count, and three times over; the fastest counts.
static double measure_pairs(
	const std::vector<Pair>& pairs, const std::function<void(const Pair&)>& ask)
{
	std::vector<double> times;
	for (const Pair& pair : pairs)
	{
		double first = measure_microseconds([&] { ask(pair); });
		int repeats = first < 20.0 ? 50 : 1;
		double best = HUGE_VAL;
		for (int i = 0; i < 3; ++i)
		{
			double time = measure_microseconds(
				[&]
				{
					for (int k = 0; k < repeats; ++k)
					{
						ask(pair);
					}
				});
			best = nc_min(best, time / repeats);
		}
		times.push_back(best);
	}
	return find_percentile(times, 0.5);
}

// What an answer was on average.
struct Mean
{
	double sum = 0.0;
	long count = 0;

	void add(double value)
	{
		sum += value;
		++count;
	}

	double get() const
	{
		return sum / (double)count;
	}
};

static void bench_search(const Options& options, City& city, const char* bench, double share)
{
	std::vector<Pair> pairs = choose_pairs(city, share, options.pairs, 1);
	Mean visits[2];
	auto search = [&](NcSearchMethod method)
	{
		return [&, method](const Pair& pair)
		{
			int visited;
			search_only(city.query, pair.start, pair.goal, RADIUS, method, &visited);
		};
	};
	// Landmarks are made while searching, so the second round counts.
	for (int round = 0; round < 2; ++round)
	{
		visits[0] = visits[1] = Mean();
		for (const Pair& pair : pairs)
		{
			double lengths[2];
			for (NcSearchMethod method : {NC_SEARCH_FAST, NC_SEARCH_PLAIN})
			{
				int visited = 0;
				lengths[method] =
					search_only(city.query, pair.start, pair.goal, RADIUS, method, &visited);
				visits[method].add(visited);
			}
			require(lengths[0] >= 0.0 && lengths[0] == lengths[1], "the two searches disagree");
		}
	}
	double fast = measure_pairs(pairs, search(NC_SEARCH_FAST));
	double plain = measure_pairs(pairs, search(NC_SEARCH_PLAIN));
	print_row(options.output, {bench, city.name, "plain A*", "us", fast, plain});
	fprintf(stderr, "# %s %s: %.0f vertices expanded instead of %.0f\n", bench, city.name.c_str(),
		visits[0].get(), visits[1].get());
}

// The first search after an update, which pays for following it.
static void bench_edited(const Options& options, City& city)
{
	std::vector<Pair> pairs = choose_pairs(city, 0.02, options.pairs, 2);
	std::vector<double> fast, plain, updates;
	uint64_t seed = 3;
	int block = 0;
	for (size_t i = 0; i < pairs.size(); ++i)
	{
		double lengths[2];
		updates.push_back(measure_microseconds(
			[&]
			{
				if (i % 2 == 0)
				{
					block = scenes_random_int(&seed, 0, city.made.scene.shape_count - 1);
					nc_map_remove_obstacle(city.map, city.ids[block]);
				}
				else
				{
					NcShape shape = scenes_get_shape(&city.made, block);
					nc_map_add_obstacle(city.map, &shape, &city.ids[block], nullptr);
				}
				require(nc_map_update(city.map, nullptr) == NC_OK, "an update failed");
			}));
		for (NcSearchMethod method : {NC_SEARCH_FAST, NC_SEARCH_PLAIN})
		{
			int visited;
			double time = measure_microseconds(
				[&]
				{
					lengths[method] = search_only(
						city.query, pairs[i].start, pairs[i].goal, RADIUS, method, &visited);
				});
			(method == NC_SEARCH_FAST ? fast : plain).push_back(time);
		}
		require(lengths[0] == lengths[1], "the two searches disagree");
	}
	print_row(options.output, {"edited", city.name, "plain A*", "us", find_percentile(fast, 0.5),
								  find_percentile(plain, 0.5)});
	fprintf(stderr, "# edited %s: an update takes %.0f us, p90 of the search after it %.0f us\n",
		city.name.c_str(), find_percentile(updates, 0.5), find_percentile(fast, 0.9));
}

static void bench_reach(const Options& options, City& city)
{
	std::vector<Pair> pairs = choose_pairs(city, 1.0, options.pairs, 4);
	double build = measure_microseconds(
		[&] { nc_query_find_largest_radius(city.query, pairs[0].start, pairs[0].goal); });
	int visited;
	double ours = measure_pairs(pairs, [&](const Pair& pair)
		{ require(nc_query_is_reachable(city.query, pair.start, pair.goal, 1.0), "no way"); });
	double plain = measure_pairs(pairs,
		[&](const Pair& pair)
		{
			require(search_only(
						city.query, pair.start, pair.goal, 1.0, NC_SEARCH_PLAIN, &visited) >= 0.0,
				"no way");
		});
	print_row(options.output, {"reach", city.name, "plain A*", "us", ours, plain});
	fprintf(stderr, "# reach %s: making the tree takes %.0f us\n", city.name.c_str(), build);
}

// A block in the middle of a path comes; the path is repaired, or searched for again.
static void bench_repair(const Options& options, City& city)
{
	std::vector<Pair> pairs = choose_pairs(city, 1.0, options.pairs, 8);
	std::vector<double> repairs, fast, plain;
	std::vector<NcVec2> vertices(65536);
	Mean lengths[2];
	for (const Pair& pair : pairs)
	{
		NcPathDef def = nc_default_path_def();
		def.start = pair.start;
		def.goal = pair.goal;
		def.radius = RADIUS;
		def.route = NC_ROUTE_MEDIAL;
		NcPathInfo info;
		require(nc_query_find_path(city.query, &def, &info), "no path");
		int count = nc_query_get_path_vertices(city.query, vertices.data(), (int)vertices.size());
		NcVec2 p = vertices[count / 2];
		NcVec2 corners[4] = {
			{p.x - 3, p.y - 3}, {p.x + 3, p.y - 3}, {p.x + 3, p.y + 3}, {p.x - 3, p.y + 3}};
		NcShape shape = {};
		shape.kind = NC_SHAPE_POLYGON;
		shape.points = corners;
		shape.point_count = 4;
		NcObstacleId id;
		require(nc_map_add_obstacle(city.map, &shape, &id, nullptr) == NC_OK, "no obstacle");
		require(nc_map_update(city.map, nullptr) == NC_OK, "an update failed");
		bool is_repaired = false;
		repairs.push_back(measure_microseconds(
			[&] {
				is_repaired = nc_query_repair_path(city.query, &def, vertices.data(), count, &info);
			}));
		double length = info.axis_cost;
		bool is_found = false;
		fast.push_back(
			measure_microseconds([&] { is_found = nc_query_find_path(city.query, &def, &info); }));
		def.method = NC_SEARCH_PLAIN;
		plain.push_back(
			measure_microseconds([&] { is_found = nc_query_find_path(city.query, &def, &info); }));
		require(is_repaired == is_found, "repair and search disagree");
		if (is_found)
		{
			lengths[0].add(length);
			lengths[1].add(info.axis_cost);
		}
		nc_map_remove_obstacle(city.map, id);
		require(nc_map_update(city.map, nullptr) == NC_OK, "an update failed");
	}
	double ours = find_percentile(repairs, 0.5);
	print_row(
		options.output, {"repair", city.name, "search", "us", ours, find_percentile(fast, 0.5)});
	print_row(
		options.output, {"repair", city.name, "plain A*", "us", ours, find_percentile(plain, 0.5)});
	fprintf(stderr, "# repair %s: length along the axis %.1f, that of a new search %.1f\n",
		city.name.c_str(), lengths[0].get(), lengths[1].get());
}

static void bench_route(const Options& options, City& city, DetourCity& detour, const char* bench,
	const std::vector<Pair>& pairs, int corridor_budget)
{
	Mean lengths[2], points[2];
	std::vector<NcVec2> buffer(65536);
	NcPathInfo info;
	auto find_ours = [&](const Pair& pair)
	{
		NcPathDef def = nc_default_path_def();
		def.start = pair.start;
		def.goal = pair.goal;
		def.corridor_budget = corridor_budget;
		require(nc_query_find_path(city.query, &def, &info), "no route");
		nc_query_get_path_points(city.query, buffer.data(), (int)buffer.size());
	};
	for (const Pair& pair : pairs)
	{
		find_ours(pair);
		lengths[0].add(info.length);
		points[0].add(info.point_count);
		lengths[1].add(detour.find_path(pair.start, pair.goal));
		points[1].add(detour.get_point_count());
	}
	double ours = measure_pairs(pairs, find_ours);
	double theirs = measure_pairs(pairs, [&](const Pair& pair)
		{ require(detour.find_path(pair.start, pair.goal) >= 0.0, "Detour finds no route"); });
	print_row(options.output, {bench, city.name, "Detour", "us", ours, theirs});
	fprintf(stderr, "# %s %s: length %.1f, theirs %.1f; %.0f points, theirs %.0f\n", bench,
		city.name.c_str(), lengths[0].get(), lengths[1].get(), points[0].get(), points[1].get());
}

static std::vector<Pair> choose_short_pairs(City& city, int count, uint64_t seed)
{
	std::vector<Pair> pairs;
	while ((int)pairs.size() < count)
	{
		NcVec2 start = choose_point(city, city.made.bounds, &seed);
		NcBox around = nc_box_grow(NcBox{start, start}, 50.0);
		pairs.push_back({start, choose_point(city, around, &seed)});
	}
	return pairs;
}

static bool read_options(int argc, char** argv, Options& options)
{
	for (int i = 1; i < argc; ++i)
	{
		if (strcmp(argv[i], "--json") == 0)
		{
			options.output = Output::JSON;
		}
		else if (strcmp(argv[i], "--pairs") == 0 && i + 1 < argc)
		{
			options.pairs = atoi(argv[++i]);
		}
		else if (strcmp(argv[i], "--blocks") == 0 && i + 1 < argc)
		{
			options.blocks = atoi(argv[++i]);
		}
		else
		{
			return false;
		}
	}
	return options.pairs > 0 && options.blocks > 1 && options.blocks <= 100;
}

int main(int argc, char** argv)
{
	Options options;
	if (!read_options(argc, argv, options))
	{
		fprintf(stderr, "usage: bench_query [--json] [--pairs N] [--blocks N]\n");
		return 2;
	}
	print_head(options.output);
	for (const char* kind : {"city:", "city17:"})
	{
		City city(kind + std::to_string(options.blocks));
		bench_search(options, city, "across", 0.02);
		bench_search(options, city, "any", 1.0);
		bench_edited(options, city);
		bench_repair(options, city);
		bench_reach(options, city);
	}
	City city("city:" + std::to_string(options.blocks));
	DetourCity detour(options.blocks);
	const struct
	{
		const char* name;
		std::vector<Pair> pairs;
	} cases[] = {{"across", choose_pairs(city, 0.02, options.pairs, 5)},
		{"any", choose_pairs(city, 1.0, options.pairs, 6)},
		{"short", choose_short_pairs(city, options.pairs, 7)}};
	for (const auto& c : cases)
	{
		std::string name = c.name;
		bench_route(options, city, detour, ("route_" + name).c_str(), c.pairs, 0);
		bench_route(
			options, city, detour, ("best_" + name).c_str(), c.pairs, NC_DEFAULT_CORRIDOR_BUDGET);
	}
	return 0;
}
