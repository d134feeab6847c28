// SPDX-License-Identifier: MIT
// The long proof for devices: two threads open and close two devices each at once, 1,000 times in
// all, and compute a field on each. Prints how much memory the process holds in between: it must
// not grow by more than the driver's own leaks. Ends with 1 if anything fails.

#include "field_scene.h"
#include "vk.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREAD_COUNT 2
#define ROUNDS_PER_THREAD 250 // with two devices each

typedef struct Task
{
	const NcFieldDef* def;
	const uint32_t* expected;
	int failure_count;
	int opened_count;
} Task;

static void use_devices(Task* task, int round)
{
	NcGpu* gpus[2] = {NULL, NULL};
	NcGpuDef gpu_def = nc_default_gpu_def();
	for (int i = 0; i < 2; ++i)
	{
		task->failure_count += nc_gpu_open(&gpu_def, &gpus[i], NULL) != NC_OK;
		++task->opened_count;
	}
	for (int i = 0; i < 2; ++i)
	{
		NcFieldDef def = *task->def;
		def.method = (round + i) % 2 == 0 ? NC_FIELD_COMPUTE : NC_FIELD_RASTER;
		NcField field = field_create(&def);
		size_t bytes = sizeof(uint32_t) * (size_t)def.width * (size_t)def.height;
		bool is_good = gpus[i] != NULL &&
					   nc_gpu_compute_field(gpus[i], &def, &field, NULL) == NC_OK &&
					   memcmp(field.labels, task->expected, bytes) == 0;
		task->failure_count += !is_good;
		field_destroy(&field);
	}
	nc_gpu_close(gpus[round % 2]);
	nc_gpu_close(gpus[1 - round % 2]);
}

static void* run(void* context)
{
	Task* task = context;
	for (int round = 0; round < ROUNDS_PER_THREAD; ++round)
	{
		use_devices(task, round);
	}
	return NULL;
}

// Make every call of a job fail, with every result: the processor must deliver the field, and the
// device must work again unless it is lost. Returns how often that was not so.
static int fail_all_calls(const NcFieldDef* def, const NcField* expected, int* call_count)
{
	const VkResult results[] = {VK_ERROR_DEVICE_LOST, VK_ERROR_OUT_OF_HOST_MEMORY,
		VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_INITIALIZATION_FAILED};
	size_t bytes = sizeof(uint32_t) * (size_t)def->width * (size_t)def->height;
	int failure_count = 0;
	for (int i = 0; i < 8; ++i)
	{
		NcFieldDef with_method = *def;
		with_method.method = i < 4 ? NC_FIELD_COMPUTE : NC_FIELD_RASTER;
		bool is_made_to_fail = true;
		for (int n = 1; is_made_to_fail; ++n)
		{
			NcVkFaults faults = {.failing_count = 1, .result = results[i % 4]};
			NcGpuDef gpu_def = nc_default_gpu_def();
			NcGpu* gpu = NULL;
			nc_vk_open(&gpu_def, &faults, &gpu, NULL);
			NcField field = field_create(def);
			faults.first_failing = faults.call_count + n;
			NcStatus status = nc_field_compute(gpu, &with_method, &field, NULL);
			is_made_to_fail = faults.failed != NULL;
			bool is_delivered = status == NC_OK && field.is_from_device != is_made_to_fail &&
								memcmp(field.labels, expected->labels, bytes) == 0;
			*call_count += is_made_to_fail;
			faults.first_failing = 0;
			NcStatus again = nc_gpu_compute_field(gpu, &with_method, &field, NULL);
			bool is_lost = is_made_to_fail && i % 4 == 0;
			failure_count += !is_delivered || again != (is_lost ? NC_NO_DEVICE : NC_OK);
			field_destroy(&field);
			nc_gpu_close(gpu);
		}
	}
	return failure_count;
}

static long read_resident_kilobytes(void)
{
	long pages = 0;
	long resident = 0;
	FILE* file = fopen("/proc/self/statm", "r");
	if (file != NULL)
	{
		if (fscanf(file, "%ld %ld", &pages, &resident) != 2)
		{
			resident = 0;
		}
		fclose(file);
	}
	return resident * 4;
}

int main(void)
{
	FieldScene* scene = field_scene_create("mckenna", 64);
	NcField expected = field_create(&scene->def);
	nc_field_compute(NULL, &scene->def, &expected, NULL);
	size_t before = nc_get_byte_count();
	Task tasks[THREAD_COUNT];
	pthread_t threads[THREAD_COUNT];
	for (int i = 0; i < THREAD_COUNT; ++i)
	{
		tasks[i] = (Task){.def = &scene->def, .expected = expected.labels};
	}
	use_devices(&tasks[0], 0);
	printf("after the first two devices: %ld kB\n", read_resident_kilobytes());
	for (int i = 0; i < THREAD_COUNT; ++i)
	{
		if (pthread_create(&threads[i], NULL, run, &tasks[i]) != 0)
		{
			return 2;
		}
	}
	int failure_count = 0;
	int opened_count = 0;
	for (int i = 0; i < THREAD_COUNT; ++i)
	{
		pthread_join(threads[i], NULL);
		failure_count += tasks[i].failure_count;
		opened_count += tasks[i].opened_count;
	}
	int call_count = 0;
	int bad_count = fail_all_calls(&scene->def, &expected, &call_count);
	printf("%d calls made to fail: %d times not as it should be\n", call_count, bad_count);
	failure_count += bad_count;
	size_t left = nc_get_byte_count() - before;
	printf("%d devices opened and closed: %d failures, %zu bytes of ours left, %ld kB\n",
		opened_count, failure_count, left, read_resident_kilobytes());
	field_destroy(&expected);
	field_scene_destroy(scene);
	return failure_count > 0 || left > 0 ? 1 : 0;
}
