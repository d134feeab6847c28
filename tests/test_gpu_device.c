// SPDX-License-Identifier: MIT

// Opening and closing devices: the choice among them, every way in which opening can fail, and
// whether the validation layer really watches.

// For setenv().
#define _POSIX_C_SOURCE 200809L

#include "test_gpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void device_says_what_it_is(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);

	NcGpuInfo info = nc_gpu_get_info(gpu);
	print_message("%s (%s), Vulkan %d.%d.%d\n", info.name, nc_gpu_kind_name(info.kind),
		info.version_major, info.version_minor, info.version_patch);
	assert_true(strlen(info.name) > 0);
	assert_true(NC_GPU_ANY < info.kind && info.kind <= NC_GPU_OTHER);
	assert_true(info.version_major > 1 || info.version_minor >= 1);
	assert_true(info.memory_size > 0);

	// What Vulkan guarantees for every device, and our jobs rely on.
	assert_true(info.max_storage_size >= 1u << 27);
	assert_true(info.max_image_size >= 4096);
	for (int i = 0; i < 3; ++i)
	{
		assert_true(info.max_group_counts[i] >= 65535);
	}
	assert_false(nc_gpu_is_lost(gpu));

	close_gpu(gpu, &messages);
}

static void closing_null_is_allowed(void** state)
{
	(void)state;
	nc_gpu_close(NULL);
}

// Open a device that cannot be opened, with and without a place for the reason.
static const char* get_failure(const NcGpuDef* def, NcStatus status)
{
	NcGpu* gpu = (NcGpu*)&gpu;
	NcError error = {.status = NC_OK, .item = 7, .reason = NULL};
	assert_int_equal(nc_gpu_open(def, &gpu, &error), status);
	assert_null(gpu);
	assert_int_equal(error.status, status);
	assert_int_equal(error.item, NC_NULL_INDEX);
	assert_non_null(error.reason);

	assert_int_equal(nc_gpu_open(def, &gpu, NULL), status);
	assert_null(gpu);
	return error.reason;
}

static void missing_loader_is_no_device(void** state)
{
	(void)state;
	NcGpuDef def = nc_default_gpu_def();
	def.loader_path = "/nonexistent/libvulkan.so.1";
	assert_string_equal(get_failure(&def, NC_NO_DEVICE), "there is no Vulkan loader");
}

static void library_that_is_not_vulkan_is_no_device(void** state)
{
	(void)state;
	NcGpuDef def = nc_default_gpu_def();
	def.loader_path = "libm.so.6";
	assert_string_equal(get_failure(&def, NC_NO_DEVICE), "the Vulkan driver lacks a function");
}

static void missing_driver_is_no_device(void** state)
{
	(void)state;
	// Two names for the same setting: the loader got the first one late.
	const char* names[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};
	char* before[NC_TEST_COUNT(names)];
	for (int i = 0; i < NC_TEST_COUNT(names); ++i)
	{
		const char* value = getenv(names[i]);
		before[i] = value != NULL ? strdup(value) : NULL;
		setenv(names[i], "/nonexistent/icd.json", 1);
	}

	NcGpuDef def = nc_default_gpu_def();
	const char* reason = get_failure(&def, NC_NO_DEVICE);

	for (int i = 0; i < NC_TEST_COUNT(names); ++i)
	{
		before[i] != NULL ? setenv(names[i], before[i], 1) : unsetenv(names[i]);
		free(before[i]);
	}
	assert_string_equal(reason, "no Vulkan driver works on this machine");
}

static void missing_validation_layer_is_no_device(void** state)
{
	(void)state;
	assert_null(getenv("VK_LAYER_PATH"));
	setenv("VK_LAYER_PATH", "/nonexistent", 1);
	GpuMessages messages = {0};
	NcGpuDef def = watched_gpu_def(&messages);
	const char* reason = get_failure(&def, NC_NO_DEVICE);
	unsetenv("VK_LAYER_PATH");
	assert_string_equal(reason, "the Vulkan validation layer is not installed");
}

static void* refuse_memory(void* context, void* memory, size_t old_size, size_t new_size)
{
	(void)context, (void)memory, (void)old_size, (void)new_size;
	return NULL;
}

static void missing_memory_is_reported(void** state)
{
	(void)state;
	NcGpuDef def = nc_default_gpu_def();
	nc_set_allocator(refuse_memory, NULL);
	const char* reason = get_failure(&def, NC_OUT_OF_MEMORY);
	nc_set_allocator(NULL, NULL);
	assert_string_equal(reason, "out of memory");
}

static void device_is_chosen_by_kind_and_name(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	NcGpuDef def = watched_gpu_def(&messages);
	NcGpu* gpu = NULL;
	assert_int_equal(nc_gpu_open(&def, &gpu, NULL), NC_OK);
	NcGpuInfo info = nc_gpu_get_info(gpu);

	// Its own kind and a part of its name in another case find it again.
	char name[8] = {0};
	for (int i = 0; i < 7 && info.name[i] != '\0'; ++i)
	{
		char c = info.name[i];
		name[i] = (char)('a' <= c && c <= 'z' ? c - 'a' + 'A' : c);
	}
	def.kind = info.kind;
	def.name = name;
	NcGpu* same = NULL;
	assert_int_equal(nc_gpu_open(&def, &same, NULL), NC_OK);
	assert_string_equal(nc_gpu_get_info(same).name, info.name);
	nc_gpu_close(same);
	nc_gpu_close(gpu);

	def.name = "no device has such a name";
	assert_non_null(strstr(get_failure(&def, NC_NO_DEVICE), "kind and name"));
	assert_int_equal(messages.count, 0);
}

static int rate(NcGpuKind kind, const char* name, VkPhysicalDeviceType type, uint32_t version)
{
	NcGpuDef def = nc_default_gpu_def();
	def.kind = kind;
	def.name = name;
	VkPhysicalDeviceProperties properties = {
		.apiVersion = version,
		.deviceType = type,
		.deviceName = "Quick GPU 9",
	};
	assert_int_equal(nc_vk_rate_device(&def, &properties, false), 0);
	return nc_vk_rate_device(&def, &properties, true);
}

static void faster_kinds_are_preferred_and_unusable_devices_never_taken(void** state)
{
	(void)state;
	const VkPhysicalDeviceType types[] = {
		VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
		VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
		VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU,
		VK_PHYSICAL_DEVICE_TYPE_CPU,
		VK_PHYSICAL_DEVICE_TYPE_OTHER,
	};
	for (int i = 0; i < NC_TEST_COUNT(types); ++i)
	{
		int rating = rate(NC_GPU_ANY, NULL, types[i], VK_API_VERSION_1_3);
		assert_true(rating > 0);
		assert_true(i == 0 || rating < rate(NC_GPU_ANY, NULL, types[i - 1], VK_API_VERSION_1_3));
		assert_int_equal(rate(NC_GPU_ANY, NULL, types[i], VK_API_VERSION_1_0), 0);
		for (int kind = NC_GPU_DISCRETE; kind <= NC_GPU_OTHER; ++kind)
		{
			bool is_taken = rate((NcGpuKind)kind, NULL, types[i], VK_API_VERSION_1_1) > 0;
			assert_int_equal(is_taken, kind == NC_GPU_DISCRETE + i);
		}
	}

	VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
	assert_true(rate(NC_GPU_ANY, "", type, VK_API_VERSION_1_1) > 0);
	assert_true(rate(NC_GPU_ANY, "gpu 9", type, VK_API_VERSION_1_1) > 0);
	assert_int_equal(rate(NC_GPU_ANY, "gpu 99", type, VK_API_VERSION_1_1), 0);
}

// The proof that a silent validation layer means something.
static void forgotten_object_is_reported_by_the_validation_layer(void** state)
{
	(void)state;
	GpuMessages messages = {.is_expected = true};
	NcGpu* gpu = open_gpu(&messages, NULL);
	assert_non_null(gpu);

	VkFence fence = VK_NULL_HANDLE;
	VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	assert_int_equal(gpu->vk.CreateFence(gpu->vk.device, &info, NULL, &fence), VK_SUCCESS);
	assert_int_equal(messages.count, 0);
	nc_gpu_close(gpu);
	assert_true(messages.count > 0);
}

// Open a device while the n-th call fails. Unless there are fewer calls, opening must fail with
// this status and leave nothing behind.
static NcVkFaults fail_call(int n, VkResult result, NcStatus status)
{
	GpuMessages messages = {0};
	NcGpuDef def = watched_gpu_def(&messages);
	NcVkFaults faults = {.first_failing = n, .failing_count = 1, .result = result};
	NcGpu* gpu = NULL;
	NcError error = {0};
	NcStatus got = nc_vk_open(&def, &faults, &gpu, &error);
	assert_int_equal(got, faults.failed != NULL ? status : NC_OK);
	assert_true((gpu == NULL) == (got != NC_OK));
	assert_true((error.reason == NULL) == (got == NC_OK));

	nc_gpu_close(gpu);
	assert_int_equal(nc_get_byte_count(), 0);
	if (messages.count != 0)
	{
		fail_msg("call %d made the validation layer complain", n);
	}
	return faults;
}

static void opening_survives_every_failing_call(void** state)
{
	(void)state;
	const struct
	{
		VkResult result;
		NcStatus status;
	} others[] = {
		{VK_ERROR_DEVICE_LOST, NC_NO_DEVICE},
		{VK_ERROR_OUT_OF_HOST_MEMORY, NC_OUT_OF_MEMORY},
		{VK_ERROR_OUT_OF_DEVICE_MEMORY, NC_OUT_OF_MEMORY},
		{VK_ERROR_UNKNOWN, NC_NO_DEVICE},
	};

	int lookup_count = 0;
	int call_count = 0;
	for (int n = 1;; ++n)
	{
		NcVkFaults faults = fail_call(n, VK_ERROR_INITIALIZATION_FAILED, NC_NO_DEVICE);
		if (faults.failed == NULL)
		{
			break;
		}
		if (faults.is_lookup)
		{
			// There is only one way not to be found.
			lookup_count += 1;
			continue;
		}

		call_count += 1;
		for (int i = 0; i < NC_TEST_COUNT(others); ++i)
		{
			assert_string_equal(
				fail_call(n, others[i].result, others[i].status).failed, faults.failed);
		}
	}

	// One lookup for each function, and one for the library.
	int function_count = 1;
#define X(name) function_count += 1;
	NC_VK_LOADER_FUNCTIONS(X)
	NC_VK_INSTANCE_FUNCTIONS(X)
	NC_VK_MESSAGE_FUNCTIONS(X)
	NC_VK_DEVICE_FUNCTIONS(X)
#undef X
	print_message("%d lookups and %d calls were made to fail\n", lookup_count, call_count);
	assert_int_equal(lookup_count, function_count);
	assert_int_equal(call_count, 7);
}

static void devices_open_and_close_many_times(void** state)
{
	(void)state;
	GpuMessages messages = {0};
	for (int i = 0; i < 50; ++i)
	{
		NcGpu* gpu = open_gpu(&messages, NULL);
		assert_non_null(gpu);
		nc_gpu_close(gpu);
		assert_int_equal(nc_get_byte_count(), 0);
	}
	assert_int_equal(messages.count, 0);
}

// Open and close some devices, two at a time; returns NULL if all went well.
static void* open_and_close(void* context)
{
	(void)context;
	GpuMessages messages = {0};
	bool is_good = true;
	for (int i = 0; i < 10; ++i)
	{
		NcGpu* first = open_gpu(&messages, NULL);
		NcGpu* second = open_gpu(&messages, NULL);
		is_good = is_good && first != NULL && second != NULL;
		nc_gpu_close(first);
		nc_gpu_close(second);
	}
	return is_good && messages.count == 0 ? NULL : "failed";
}

static void two_threads_open_and_close_devices(void** state)
{
	(void)state;
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, open_and_close, NULL), 0);
	const char* here = open_and_close(NULL);
	void* there = NULL;
	assert_int_equal(pthread_join(thread, &there), 0);
	assert_null(here);
	assert_null(there);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		// These need no device.
		cmocka_unit_test_teardown(closing_null_is_allowed, require_no_leak),
		cmocka_unit_test_teardown(missing_loader_is_no_device, require_no_leak),
		cmocka_unit_test_teardown(library_that_is_not_vulkan_is_no_device, require_no_leak),
		cmocka_unit_test_teardown(missing_memory_is_reported, require_no_leak),
		cmocka_unit_test(faster_kinds_are_preferred_and_unusable_devices_never_taken),
		GPU_TEST(device_says_what_it_is),
		GPU_TEST(missing_driver_is_no_device),
		GPU_TEST(missing_validation_layer_is_no_device),
		GPU_TEST(device_is_chosen_by_kind_and_name),
		GPU_TEST(forgotten_object_is_reported_by_the_validation_layer),
		GPU_TEST(opening_survives_every_failing_call),
		GPU_TEST(devices_open_and_close_many_times),
		GPU_TEST(two_threads_open_and_close_devices),
	};
	return cmocka_run_group_tests_name("gpu_device", tests, keep_drivers_loaded, NULL);
}
