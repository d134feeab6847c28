// SPDX-License-Identifier: MIT
// Distance fields on a Vulkan device, ours against jump flooding; and the planner of 1998, ours
// beside the figures of the paper.
//
//   bench_gpu [--json] [--1998] [--device NAME] [--seconds S]
//
// Ours counts everything from the sites in the caller's memory to the labels in the caller's
// memory; of jump flooding only the passes count, not its seeding and copying. The tables say how
// the cost grows with pixels and with sites. All figures are those of the device in the first line.

#include "clock.h"
#include "field_scene.h"
#include "jump_flood.h"
#include "levels.h"
#include "scenes_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct BenchOptions
{
	bool is_json;
	const char* device;
	double seconds;     // for each measurement
	bool is_paper_only; // only the table of 1998
} BenchOptions;

// Compute a field again and again and return the shortest time, in milliseconds.
static double measure_field(
	const BenchOptions* options, NcGpu* gpu, const NcFieldDef* def, NcField* field)
{
	double best = HUGE_VAL;
	double deadline = clock_get_milliseconds() + 1000.0 * options->seconds;
	do
	{
		double start = clock_get_milliseconds();
		NcError error = {0};
		if (nc_field_compute(gpu, def, field, &error) != NC_OK ||
			field->is_from_device != (gpu != NULL))
		{
			fprintf(stderr, "bench_gpu: the field could not be computed\n");
			exit(2);
		}
		best = nc_min(best, clock_get_milliseconds() - start);
	} while (clock_get_milliseconds() < deadline);
	return best;
}

static double measure_flood(
	const BenchOptions* options, NcGpu* gpu, const NcFieldDef* def, uint32_t* labels)
{
	double best = HUGE_VAL;
	double deadline = clock_get_milliseconds() + 1000.0 * options->seconds;
	do
	{
		double milliseconds;
		if (!jump_flood_compute(gpu, def, labels, &milliseconds))
		{
			fprintf(stderr, "bench_gpu: jump flooding failed\n");
			exit(2);
		}
		best = nc_min(best, milliseconds);
	} while (clock_get_milliseconds() < deadline);
	return best;
}

static void print_row(const BenchOptions* options, const char* scene, const char* what, double ours,
	const char* peer, double peer_time)
{
	if (options->is_json)
	{
		printf("{\"bench\":\"gpu\",\"scene\":\"%s %s\",\"ours\":%.6g,\"peer\":\"%s\","
			   "\"peer_time\":%.6g,\"unit\":\"ms\",\"ratio\":%.4g}\n",
			scene, what, ours, peer, peer_time, peer_time / ours);
		return;
	}
	printf("%-12s %-18s %10.1f ms   %-14s %10.1f ms   ratio %6.2f\n", scene, what, ours, peer,
		peer_time, peer_time / ours);
}

// How many pixels jump flooding gets wrong: another site is nearer than the one it names.
static long long count_flood_errors(
	const NcFieldDef* def, const NcField* field, const uint32_t* flood)
{
	long long wrong_count = 0;
	for (int i = 0; i < def->width * def->height; ++i)
	{
		uint32_t label = field->labels[i] & NC_FIELD_SITE_MASK;
		if (label != flood[i])
		{
			int x = i % def->width;
			int y = i / def->width;
			double ours = field_compute_distance(def, (int)label, x, y);
			double theirs = flood[i] == NC_FIELD_NO_SITE
								? HUGE_VAL
								: field_compute_distance(def, (int)flood[i], x, y);
			wrong_count += theirs > ours + 1e-3 * def->pixel_size;
		}
	}
	return wrong_count;
}

static void compare_with_flood(const BenchOptions* options, NcGpu* gpu, const char* name, int size)
{
	FieldScene* scene = field_scene_create(name, size);
	NcFieldDef* def = &scene->def;
	NcField field = field_create(def);
	NcField labels_only = {.labels = field.labels};
	uint32_t* flood = calloc((size_t)size * (size_t)size, sizeof(uint32_t));
	char what[32];

	double peer = measure_flood(options, gpu, def, flood);
	snprintf(what, sizeof(what), "%d compute", size);
	print_row(
		options, name, what, measure_field(options, gpu, def, &labels_only), "jump flooding", peer);
	long long errors = count_flood_errors(def, &field, flood);
	def->method = NC_FIELD_RASTER;
	snprintf(what, sizeof(what), "%d drawn", size);
	print_row(
		options, name, what, measure_field(options, gpu, def, &labels_only), "jump flooding", peer);
	snprintf(what, sizeof(what), "%d processor", size);
	print_row(options, name, what, measure_field(options, NULL, def, &labels_only), "jump flooding",
		peer);
	if (!options->is_json)
	{
		printf("%-12s %-18s %lld of %lld labels of jump flooding are wrong, of ours none\n", name,
			"", errors, (long long)def->width * def->height);
	}

	free(flood);
	field_destroy(&field);
	field_scene_destroy(scene);
}

static void measure_growth(const BenchOptions* options, NcGpu* gpu, const char* name, int size)
{
	FieldScene* scene = field_scene_create(name, size);
	NcField field = field_create(&scene->def);
	NcField labels_only = {.labels = field.labels};
	double milliseconds = measure_field(options, gpu, &scene->def, &labels_only);
	double pixels = (double)scene->def.width * scene->def.height;
	printf(options->is_json
			   ? "{\"bench\":\"gpu growth\",\"scene\":\"%s\",\"pixels\":%d,\"sites\":%d,"
				 "\"ms\":%.6g,\"ns_per_pixel\":%.4g,\"candidates_per_pixel\":%.4g,"
				 "\"tile_tests_per_pixel\":%.4g}\n"
			   : "%-14s %5d^2 %8d sites %9.1f ms %8.1f ns/pixel %8.2f candidates/pixel"
				 " %7.2f tile tests/pixel\n",
		name, size, nc_map_get_stats(scene->map).site_count, milliseconds,
		1e6 * milliseconds / pixels, (double)labels_only.candidate_count / pixels,
		(double)labels_only.cull_count / pixels);
	field_destroy(&field);
	field_scene_destroy(scene);
}

static void measure_dirty(const BenchOptions* options, NcGpu* gpu)
{
	FieldScene* scene = field_scene_create("city17:98", 2048);
	NcField field = field_create(&scene->def);
	double whole = measure_field(options, gpu, &scene->def, &field);
	NcBox box = {{0.0, 0.0}, {40.0, 40.0}};
	scene->def.dirty_boxes = &box;
	scene->def.dirty_box_count = 1;
	double part = measure_field(options, gpu, &scene->def, &field);
	print_row(options, "city17:98", "2048, 40 m dirty", part, "whole picture", whole);
	field_destroy(&field);
	field_scene_destroy(scene);
}

// The table of the 1998 paper: times of a SGI Indigo2, beside ours.
typedef struct PaperRow
{
	const char* name;
	LevelKind kind;
	int cells;
	double project, search, total; // in milliseconds
} PaperRow;

static const PaperRow paper_rows[] = {
	{"maze", LEVEL_MAZE, 50, 9.5, 7.2, 16.7},
	{"maze", LEVEL_MAZE, 100, 34.5, 37.4, 72.0},
	{"maze", LEVEL_MAZE, 150, 82.9, 79.8, 163.0},
	{"office", LEVEL_OFFICE, 45, 47.7, 13.9, 61.7},
	{"office", LEVEL_OFFICE, 90, 62.7, 27.4, 90.2},
	{"office", LEVEL_OFFICE, 135, 139.2, 56.8, 196.0},
};

#define PAPER_TRIALS 100
#define PAPER_LEVELS 10
#define PAPER_RADIUS 0.4

static NcCell2 choose_free_cell(const NcBitmap* bitmap, uint64_t* seed)
{
	NcCell2 cell;
	do
	{
		cell.x = scenes_random_int(seed, 0, bitmap->width - 1);
		cell.y = scenes_random_int(seed, 0, bitmap->height - 1);
	} while (nc_bitmap_is_blocked(bitmap, cell.x, cell.y));
	return cell;
}

// Search a path between random free cells; exits if it is not valid on the grown bitmap.
static bool search_path(const NcBitmap* bitmap, uint64_t* seed)
{
	NcBitmapPathDef def = {.start = choose_free_cell(bitmap, seed),
		.goal = choose_free_cell(bitmap, seed),
		.search = NC_BITMAP_DIJKSTRA};
	NcBitmapPath path;
	if (nc_bitmap_find_path(bitmap, &def, &path) != NC_OK)
	{
		exit(2);
	}
	for (int i = 0; i < path.count; ++i)
	{
		if (nc_bitmap_is_blocked(bitmap, path.cells[i].x, path.cells[i].y))
		{
			fprintf(stderr, "bench_gpu: a path is not valid\n");
			exit(2);
		}
	}
	bool is_found = path.count > 0;
	nc_bitmap_path_free(&path);
	return is_found;
}

// Average over trials with other levels, starts and goals. Growing belongs to projecting, and
// counts from centre to centre of cells, both as in the paper.
static void measure_paper_row(const BenchOptions* options, NcGpu* gpu, const PaperRow* row)
{
	double project = 0.0;
	double search = 0.0;
	int found_count = 0;
	uint64_t seed = 1998;
	for (int i = 0; i < PAPER_TRIALS; ++i)
	{
		Level level = level_create(row->kind, 1 + (uint64_t)i / (PAPER_TRIALS / PAPER_LEVELS));
		NcProjectDef def = level_make_def(&level, row->cells);
		NcBitmap bitmap;
		double start = clock_get_milliseconds();
		if (nc_project(gpu, &def, &bitmap, NULL, NULL) != NC_OK ||
			nc_bitmap_grow(&bitmap, PAPER_RADIUS - def.cell_size) != NC_OK)
		{
			exit(2);
		}
		double middle = clock_get_milliseconds();
		found_count += search_path(&bitmap, &seed);
		search += clock_get_milliseconds() - middle;
		project += middle - start;
		nc_bitmap_free(&bitmap);
		level_destroy(&level);
	}
	project /= PAPER_TRIALS;
	search /= PAPER_TRIALS;
	char scene[32];
	snprintf(scene, sizeof(scene), "%s %dx%d", row->name, row->cells, row->cells);
	if (options->is_json)
	{
		print_row(options, scene, gpu != NULL ? "device" : "processor", project + search,
			"1998 paper", row->total);
		return;
	}
	printf("%-15s %-9s project %7.2f (%6.1f)  search %6.2f (%5.1f)  total %7.2f (%6.1f) ms, "
		   "%d of %d found\n",
		scene, gpu != NULL ? "device" : "processor", project, row->project, search, row->search,
		project + search, row->total, found_count, PAPER_TRIALS);
}

static void measure_paper(const BenchOptions* options, NcGpu* gpu)
{
	if (!options->is_json)
	{
		printf("The table of 1998, its figures in parentheses:\n");
	}
	for (size_t i = 0; i < sizeof(paper_rows) / sizeof(paper_rows[0]); ++i)
	{
		measure_paper_row(options, NULL, &paper_rows[i]);
		measure_paper_row(options, gpu, &paper_rows[i]);
	}
}

static bool parse(int argc, char** argv, BenchOptions* options)
{
	for (int i = 1; i < argc; ++i)
	{
		if (strcmp(argv[i], "--json") == 0)
		{
			options->is_json = true;
		}
		else if (strcmp(argv[i], "--1998") == 0)
		{
			options->is_paper_only = true;
		}
		else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
		{
			options->device = argv[++i];
		}
		else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
		{
			options->seconds = atof(argv[++i]);
		}
		else
		{
			fprintf(stderr, "usage: bench_gpu [--json] [--1998] [--device NAME] [--seconds S]\n");
			return false;
		}
	}
	return true;
}

int main(int argc, char** argv)
{
	BenchOptions options = {.seconds = 1.0};
	if (!parse(argc, argv, &options))
	{
		return 2;
	}
	NcGpuDef def = nc_default_gpu_def();
	def.name = options.device;
	NcGpu* gpu = NULL;
	NcError error = {0};
	if (nc_gpu_open(&def, &gpu, &error) != NC_OK)
	{
		fprintf(stderr, "bench_gpu: %s\n", error.reason);
		return 2;
	}
	NcGpuInfo info = nc_gpu_get_info(gpu);
	fprintf(options.is_json ? stderr : stdout, "device: %s (%s), Vulkan %d.%d.%d\n", info.name,
		nc_gpu_kind_name(info.kind), info.version_major, info.version_minor, info.version_patch);

	measure_paper(&options, gpu);
	if (options.is_paper_only)
	{
		nc_gpu_close(gpu);
		return 0;
	}
	compare_with_flood(&options, gpu, "city:98", 2048);
	compare_with_flood(&options, gpu, "city17:98", 2048);
	compare_with_flood(&options, gpu, "random:10000", 2048);
	measure_dirty(&options, gpu);
	const char* scenes[] = {"random:1000", "random:10000", "random:40000", "random:160000"};
	for (int i = 0; i < 4; ++i)
	{
		measure_growth(&options, gpu, scenes[i], 2048);
	}
	for (int size = 512; size <= 4096; size *= 2)
	{
		measure_growth(&options, gpu, "city:98", size);
	}
	nc_gpu_close(gpu);
	return 0;
}
