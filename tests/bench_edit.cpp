// SPDX-License-Identifier: MIT
// Editing: removing and inserting one block of a city, ours against CGAL's diagram.
//
//   bench_edit [--json] [--edits N] [--seconds S] [SCENE ...]     scenes of separate polygons
//
// An edit of ours is remove, update, add, update: everything that is needed until agents can use
// the changed map. CGAL removes and inserts the same walls in its bare diagram, with the best hints
// that a user can give. Both edit the same random blocks; whoever has used up the seconds stops
// early. In the end our map must be the one it was, and CGAL must have all of its vertices.

#include "measure.h"
#include "peers.h"
#include "scenes.h"
#include "scenes_kinds.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Options
{
	Output output = Output::TABLE;
	int edits = 1000;
	double seconds = 10.0;
	std::vector<const char*> scenes;
};

// How long the two halves of every edit took, in microseconds.
struct Times
{
	std::vector<double> removals, insertions, edits;

	void add(double start, double middle, double end)
	{
		removals.push_back(1e6 * (middle - start));
		insertions.push_back(1e6 * (end - middle));
		edits.push_back(1e6 * (end - start));
	}
};

// Do up to `edits` edits until the seconds are over.
static Times measure_edits(const Options& options, const std::vector<int>& blocks,
	const std::function<void(int)>& remove, const std::function<void(int)>& insert)
{
	Times times;
	double deadline = get_wall_seconds() + options.seconds;
	for (int block : blocks)
	{
		double start = get_wall_seconds();
		if (start > deadline)
		{
			break;
		}
		remove(block);
		double middle = get_wall_seconds();
		insert(block);
		times.add(start, middle, get_wall_seconds());
	}
	return times;
}

static void require(bool condition, const char* what)
{
	if (!condition)
	{
		fprintf(stderr, "bench_edit: %s\n", what);
		exit(1);
	}
}

static Times measure_ours(const Options& options, const std::vector<int>& blocks,
	const TestScene& made, NcMap* map, std::vector<NcObstacleId>& ids)
{
	uint64_t hash = nc_map_compute_hash(map);
	Times times = measure_edits(
		options, blocks,
		[&](int block)
		{
			require(nc_map_remove_obstacle(map, ids[block]) == NC_OK, "a removal failed");
			require(nc_map_update(map, nullptr) == NC_OK, "an update failed");
		},
		[&](int block)
		{
			NcShape shape = scenes_get_shape(&made, block);
			require(nc_map_add_obstacle(map, &shape, &ids[block], nullptr) == NC_OK,
				"an insertion failed");
			require(nc_map_update(map, nullptr) == NC_OK, "an update failed");
		});
	require(nc_map_compute_hash(map) == hash, "our map is not what it was");
	return times;
}

static Times measure_cgal(const Options& options, const std::vector<int>& blocks,
	const std::vector<Wall>& walls, const std::vector<std::vector<Wall>>& walls_of)
{
	CgalEditor editor(walls);
	size_t count = editor.count_vertices();
	Times times = measure_edits(
		options, blocks, [&](int block) { editor.remove(walls_of[block]); },
		[&](int block) { editor.insert(walls_of[block]); });
	require(editor.count_failures() == 0, "CGAL refused to remove something");
	require(editor.count_vertices() == count, "CGAL's diagram is not what it was");
	return times;
}

// The walls of each shape.
static std::vector<std::vector<Wall>> group_walls(
	const NcMap* map, const Walls& walls, const std::vector<NcObstacleId>& ids)
{
	std::vector<int> shape_of(ids.size() + 1, -1);
	for (size_t i = 0; i < ids.size(); ++i)
	{
		shape_of[ids[i].index] = (int)i;
	}
	std::vector<std::vector<Wall>> groups(ids.size());
	for (int i = 0; i < nc_map_get_wall_range(map); ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map, i, &wall) && wall.obstacle.index != 0)
		{
			groups[shape_of[wall.obstacle.index]].push_back(walls.all()[walls.site_of_map_wall(i)]);
		}
	}
	return groups;
}

static void print_times(
	const Options& options, const char* scene, const char* what, Times ours, Times theirs)
{
	const struct
	{
		const char* name;
		double share;
	} shares[] = {{"p50", 0.5}, {"p99", 0.99}};
	std::vector<double> Times::*part = strcmp(what, "remove") == 0   ? &Times::removals
									   : strcmp(what, "insert") == 0 ? &Times::insertions
																	 : &Times::edits;
	for (const auto& s : shares)
	{
		print_row(options.output,
			{std::string(what) + "_" + s.name, scene, "CGAL", "us",
				find_percentile(ours.*part, s.share), find_percentile(theirs.*part, s.share)});
	}
}

static void bench_scene(const Options& options, const char* scene)
{
	TestScene made;
	if (!scenes_make(scene, &made))
	{
		exit(2);
	}
	require(made.scene.shape_count > 0, "there is nothing to edit");
	std::vector<NcObstacleId> ids(made.scene.shape_count);
	NcMap* map = scenes_build_map(&made, 1, ids.data());
	Walls walls(map);
	std::vector<std::vector<Wall>> walls_of = group_walls(map, walls, ids);
	std::vector<int> blocks;
	uint64_t random = 1;
	for (int i = 0; i < options.edits; ++i)
	{
		blocks.push_back(scenes_random_int(&random, 0, made.scene.shape_count - 1));
	}

	Times ours = measure_ours(options, blocks, made, map, ids);
	Times theirs = measure_cgal(options, blocks, walls.all(), walls_of);
	for (const char* what : {"remove", "insert", "edit"})
	{
		print_times(options, scene, what, ours, theirs);
	}
	fprintf(stderr, "# %s: %zu edits of ours, %zu of CGAL\n", scene, ours.edits.size(),
		theirs.edits.size());
	nc_map_destroy(map);
	scenes_destroy(&made);
}

static bool read_options(int argc, char** argv, Options& options)
{
	for (int i = 1; i < argc; ++i)
	{
		if (strcmp(argv[i], "--json") == 0)
		{
			options.output = Output::JSON;
		}
		else if (strcmp(argv[i], "--edits") == 0 && i + 1 < argc)
		{
			options.edits = atoi(argv[++i]);
		}
		else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
		{
			options.seconds = atof(argv[++i]);
		}
		else
		{
			options.scenes.push_back(argv[i]);
		}
	}
	return options.edits > 0 && options.seconds > 0.0;
}

int main(int argc, char** argv)
{
	Options options;
	if (!read_options(argc, argv, options))
	{
		fprintf(stderr, "usage: bench_edit [--json] [--edits N] [--seconds S] [SCENE ...]\n");
		return 2;
	}
	if (options.scenes.empty())
	{
		options.scenes = {"city:98", "city17:98"};
	}
	print_head(options.output);
	for (const char* scene : options.scenes)
	{
		bench_scene(options, scene);
	}
	return 0;
}
