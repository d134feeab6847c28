// SPDX-License-Identifier: MIT
#pragma once

// What the GPU tests share: a device that is watched by the validation layer. Every test opens its
// own, and any message of the layer fails the test that caused it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "vk.h"

#include <dlfcn.h>

#define NC_TEST_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// Counts what the validation layer says. One for each device, so threads need no lock.
typedef struct GpuMessages
{
	int count;
	bool is_expected; // the test makes a mistake on purpose: do not print
} GpuMessages;

static inline void count_gpu_message(void* context, const char* text)
{
	GpuMessages* messages = context;
	messages->count += 1;
	if (!messages->is_expected)
	{
		print_error("validation: %s\n", text);
	}
}

static inline NcGpuDef watched_gpu_def(GpuMessages* messages)
{
	NcGpuDef def = nc_default_gpu_def();
	def.validation = NC_GPU_VALIDATION_SYNC;
	def.message = count_gpu_message;
	def.message_context = messages;
	return def;
}

// Open a watched device; NULL, and the reason printed, if that fails. Safe in any thread.
static inline NcGpu* open_gpu(GpuMessages* messages, NcVkFaults* faults)
{
	NcGpuDef def = watched_gpu_def(messages);
	NcGpu* gpu = NULL;
	NcError error = {0};
	if (nc_vk_open(&def, faults, &gpu, &error) != NC_OK)
	{
		print_error("cannot open a device: %s\n", error.reason);
	}
	return gpu;
}

// Close a device that must not have caused any message.
static inline void close_gpu(NcGpu* gpu, const GpuMessages* messages)
{
	nc_gpu_close(gpu);
	assert_int_equal(messages->count, 0);
}

// A test that needs a device.
typedef struct GpuTest
{
	void (*function)(void** state);
} GpuTest;

// Run the test, or skip it and say why on a machine without any Vulkan device. A machine with a
// device but without the validation layer does not get away with it: its tests fail.
static inline void run_gpu_test(void** state)
{
	const GpuTest* test = *state;
	NcGpuDef def = nc_default_gpu_def();
	NcGpu* gpu = NULL;
	NcError error = {0};
	if (nc_gpu_open(&def, &gpu, &error) == NC_NO_DEVICE)
	{
		print_message("skipped: %s\n", error.reason);
		skip();
	}
	nc_gpu_close(gpu);
	test->function(NULL);
}

// An entry of cmocka's list of tests. Only tests can be skipped, their setup cannot.
#define GPU_TEST(name) \
	{ \
#name, run_gpu_test, NULL, require_no_leak, &(GpuTest) \
		{ \
			name \
		} \
	}

// Teardown of every test.
static inline int require_no_leak(void** state)
{
	(void)state;
	if (nc_get_byte_count() != 0)
	{
		print_error("%zu bytes were not freed\n", nc_get_byte_count());
		return -1;
	}
	return 0;
}

// The software driver and the validation layer of Debian 12 leak some memory of their own for every
// device. Their names tell the leak checker that this is not our fault, provided that they are
// still loaded when it looks. With clang it sees no farther than the C++ library they use; nothing
// of ours does.
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);

const char* __lsan_default_suppressions(void)
{
	return "leak:libvulkan_lvp\nleak:libVkLayer_khronos_validation\n"
		   "leak:libstdc++.so\n";
}

// Setup of every group of tests.
static inline int keep_drivers_loaded(void** state)
{
	(void)state;
	dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_NODELETE);
	dlopen("libVkLayer_khronos_validation.so", RTLD_NOW | RTLD_NODELETE);
	return 0;
}

// The next number of a reproducible sequence, from `lower` up to, not including, `upper`.
static inline double random_between(uint32_t* seed, double lower, double upper)
{
	*seed = *seed * 1664525u + 1013904223u;
	return lower + (upper - lower) * ((double)(*seed >> 8) / 16777216.0);
}
