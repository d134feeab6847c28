// SPDX-License-Identifier: MIT

// Finding Vulkan at run time. Nothing links to it, so that a program with this library starts on
// every machine, and learns from nc_gpu_open() whether there is a device.
//
// The loader is a shared library. It exports the functions that create and destroy an instance;
// the instance knows the functions that create and destroy a device; the device knows all others,
// without a detour through the loader. A table is complete or loading it fails: no caller ever
// checks a single pointer.

#include "vk.h"

#include <dlfcn.h>
#include <string.h>

static const char loader_name[] = "libvulkan.so.1";

// The look of all functions that find functions: NULL if there is none of this name.
typedef PFN_vkVoidFunction FindFn(const NcVk* vk, const char* name);

static PFN_vkVoidFunction find_exported(const NcVk* vk, const char* name)
{
	// ISO C does not convert object pointers to function pointers; POSIX says they look alike.
	void* symbol = dlsym(vk->library, name);
	PFN_vkVoidFunction function;
	_Static_assert(sizeof(function) == sizeof(symbol), "POSIX asks for equal pointers");
	memcpy(&function, &symbol, sizeof(function));
	return function;
}

static PFN_vkVoidFunction find_of_instance(const NcVk* vk, const char* name)
{
	return vk->GetInstanceProcAddr(vk->instance, name);
}

static PFN_vkVoidFunction find_of_device(const NcVk* vk, const char* name)
{
	return vk->GetDeviceProcAddr(vk->device, name);
}

static PFN_vkVoidFunction find(NcVk* vk, FindFn* find_function, const char* name)
{
	if (nc_vk_take_fault(vk, name, true))
	{
		return NULL;
	}

	PFN_vkVoidFunction function = find_function(vk, name);
	if (function == NULL)
	{
		nc_vk_fail(vk, VK_ERROR_INCOMPATIBLE_DRIVER, "the Vulkan driver lacks a function");
	}
	return function;
}

// Fill one entry; does nothing once an entry before it is missing.
#define LOAD(name, find_function) \
	if (is_complete) \
	{ \
		vk->name = (PFN_vk##name)find(vk, find_function, "vk" #name); \
		is_complete = vk->name != NULL; \
	}

static bool load_exported_functions(NcVk* vk)
{
	bool is_complete = true;
#define X(name) LOAD(name, find_exported)
	NC_VK_LOADER_FUNCTIONS(X)
#undef X
	return is_complete;
}

bool nc_vk_load_library(NcVk* vk, const char* path)
{
	if (nc_vk_take_fault(vk, "dlopen", true))
	{
		return false;
	}

	vk->library = dlopen(path != NULL ? path : loader_name, RTLD_NOW | RTLD_LOCAL);
	if (vk->library == NULL)
	{
		return nc_vk_fail(vk, VK_ERROR_INITIALIZATION_FAILED, "there is no Vulkan loader");
	}
	if (load_exported_functions(vk))
	{
		return true;
	}

	nc_vk_unload_library(vk);
	return false;
}

bool nc_vk_load_instance_functions(NcVk* vk)
{
	bool is_complete = true;
#define X(name) LOAD(name, find_of_instance)
	NC_VK_INSTANCE_FUNCTIONS(X)
#undef X
	return is_complete;
}

bool nc_vk_load_message_functions(NcVk* vk)
{
	bool is_complete = true;
#define X(name) LOAD(name, find_of_instance)
	NC_VK_MESSAGE_FUNCTIONS(X)
#undef X
	return is_complete;
}

bool nc_vk_load_device_functions(NcVk* vk)
{
	bool is_complete = true;
#define X(name) LOAD(name, find_of_device)
	NC_VK_DEVICE_FUNCTIONS(X)
#undef X
	return is_complete;
}

void nc_vk_unload_library(NcVk* vk)
{
	if (vk->library != NULL)
	{
		dlclose(vk->library);
	}
	vk->library = NULL;
}
