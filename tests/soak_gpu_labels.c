// SPDX-License-Identifier: MIT
// The long proof for distance fields: every pixel of 100 random scenes at 256 and of the known
// scenes at 1024 against asking all sites, in all three ways, with validation and synchronization
// validation on. Prints what it compared; ends with 1 if anything differs or the validation layer
// complains. soak_gpu_skeletons.c compares their skeletons.

#include "clock.h"
#include "field_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Totals
{
	long long pixels;
	long long wrong, different; // against asking all; between the three ways
	long long inexact;          // whose label is not the nearest within 1e-6 of the picture's size
	double max_error;           // of a clearance, as a part of the picture's size
	int message_count;
} Totals;

static void count_message(void* context, const char* text)
{
	Totals* totals = context;
	++totals->message_count;
	fprintf(stderr, "validation: %s\n", text);
}

static void compare_exactly(const NcFieldDef* def, const NcField* field, int step, Totals* totals)
{
	double size = def->pixel_size * (def->width > def->height ? def->width : def->height);
	for (int i = 0; i < def->width * def->height; i += step)
	{
		int x = i % def->width;
		int y = i / def->width;
		uint32_t label = field->labels[i];
		double exact = field_compute_exact_clearance(def, x, y);
		double named = field_compute_distance(def, (int)(label & NC_FIELD_SITE_MASK), x, y);
		totals->inexact += named > exact + 1e-6 * size;
		if ((label & NC_FIELD_BLOCKED) == 0)
		{
			double error = fabs((double)field->clearances[i] - exact) / size;
			totals->max_error = nc_max(totals->max_error, error);
		}
	}
}

static void compare_scene(NcGpu* gpu, const char* name, int size, Totals* totals)
{
	double start = clock_get_milliseconds();
	FieldScene* scene = field_scene_create(name, size);
	NcFieldDef* def = &scene->def;
	size_t count = (size_t)def->width * (size_t)def->height;
	NcField first = field_create(def);
	for (int way = 0; way < 3; ++way)
	{
		NcField field = way == 0 ? first : field_create(def);
		def->method = way == 2 ? NC_FIELD_RASTER : NC_FIELD_COMPUTE;
		NcStatus status = way == 0 ? nc_field_compute(NULL, def, &field, NULL)
								   : nc_gpu_compute_field(gpu, def, &field, NULL);
		bool is_same = status == NC_OK &&
					   memcmp(first.labels, field.labels, count * sizeof(uint32_t)) == 0 &&
					   memcmp(first.clearances, field.clearances, count * sizeof(float)) == 0;
		totals->different += !is_same;
		if (way > 0)
		{
			field_destroy(&field);
		}
	}
	long long wrong = field_count_wrong_pixels(def, &first, 1);
	totals->wrong += wrong;
	totals->pixels += (long long)count;
	compare_exactly(def, &first, size > 256 ? 101 : 7, totals);
	if (size > 256 || wrong > 0)
	{
		printf("%-12s %4d: %lld wrong, %.0f s\n", name, size, wrong,
			(clock_get_milliseconds() - start) / 1000.0);
		fflush(stdout);
	}
	field_destroy(&first);
	field_scene_destroy(scene);
}

int main(void)
{
	Totals totals = {0};
	NcGpuDef def = nc_default_gpu_def();
	def.validation = NC_GPU_VALIDATION_SYNC;
	def.message = count_message;
	def.message_context = &totals;
	NcGpu* gpu = NULL;
	NcError error = {0};
	if (nc_gpu_open(&def, &gpu, &error) != NC_OK)
	{
		fprintf(stderr, "soak_gpu_labels: %s\n", error.reason);
		return 2;
	}
	printf("device: %s\n", nc_gpu_get_info(gpu).name);

	const char* kinds[] = {"mixed", "overlap", "lattice", "hard"};
	for (int i = 0; i < 100; ++i)
	{
		char name[32];
		snprintf(name, sizeof(name), "%s:%d", kinds[i % 4], 100 + i);
		compare_scene(gpu, name, 256, &totals);
	}
	compare_scene(gpu, "mckenna", 1024, &totals);
	compare_scene(gpu, "city:30", 1024, &totals);
	compare_scene(gpu, "city17:30", 1024, &totals);
	nc_gpu_close(gpu);
	printf("%lld pixels: %lld wrong, %lld runs differ between the ways, %lld labels not nearest, "
		   "clearances at most %.2g of the picture's size off, %d validation messages\n",
		totals.pixels, totals.wrong, totals.different, totals.inexact, totals.max_error,
		totals.message_count);
	return totals.wrong + totals.different + totals.inexact + totals.message_count > 0 ||
				   totals.max_error > 1e-6
			   ? 1
			   : 0;
}
