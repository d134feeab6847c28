// SPDX-License-Identifier: MIT
// The long proof for skeletons: those of the 103 scenes of soak_gpu_labels.c, found by a device
// with validation on, against the exact maps. Ends with 1 if anything differs. Arguments: names of
// scenes to look at alone, at 256.

#include "skeleton_match.h"

typedef struct Soak
{
	NcGpu* gpu;
	SkeletonMatch sum;
	int failure_count, message_count;
} Soak;

static void count_message(void* context, const char* text)
{
	Soak* soak = context;
	++soak->message_count;
	fprintf(stderr, "validation: %s\n", text);
}

static void compare(Soak* soak, const char* name, int size)
{
	FieldScene* scene = field_scene_create(name, size);
	NcField field = field_create(&scene->def);
	NcSkeleton skeleton = {0};
	bool is_done =
		nc_gpu_compute_field(soak->gpu, &scene->def, &field, NULL) == NC_OK &&
		nc_skeleton_extract(soak->gpu, &scene->def, field.labels, &skeleton, NULL) == NC_OK &&
		skeleton.is_from_device;
	SkeletonMatch match = skeleton_match(scene, &skeleton);
	if (size > 256 || !is_done || skeleton_match_count_wrong(&match) > 0)
	{
		skeleton_match_print(stdout, name, &match);
	}
	soak->failure_count += !is_done;
	skeleton_match_add(&soak->sum, &match);
	nc_skeleton_free(&skeleton);
	field_destroy(&field);
	field_scene_destroy(scene);
}

static void compare_all(Soak* soak)
{
	compare(soak, "mckenna", 1024);
	compare(soak, "city:30", 1024);
	compare(soak, "city17:30", 1024);
	const char* kinds[] = {"mixed", "overlap", "lattice", "hard"};
	for (int i = 0; i < 100; ++i)
	{
		char name[32];
		snprintf(name, sizeof(name), "%s:%d", kinds[i % 4], 100 + i);
		compare(soak, name, 256);
	}
}

int main(int argc, char** argv)
{
	Soak soak = {0};
	NcGpuDef def = nc_default_gpu_def();
	def.validation = NC_GPU_VALIDATION_SYNC;
	def.message = count_message;
	def.message_context = &soak;
	NcError error = {0};
	if (nc_gpu_open(&def, &soak.gpu, &error) != NC_OK)
	{
		fprintf(stderr, "soak_gpu_skeletons: %s\n", error.reason);
		return 2;
	}
	for (int i = 1; i < argc; ++i)
	{
		compare(&soak, argv[i], 256);
	}
	if (argc == 1)
	{
		compare_all(&soak);
	}
	nc_gpu_close(soak.gpu);
	skeleton_match_print(stdout, "all", &soak.sum);
	printf("%d validation messages\n", soak.message_count);
	int wrong = skeleton_match_count_wrong(&soak.sum) + soak.failure_count + soak.message_count;
	return wrong > 0 ? 1 : 0;
}
