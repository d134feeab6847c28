// SPDX-License-Identifier: MIT

// Choosing a device, opening and closing it, and telling what it is.
//
// A device is usable if it knows Vulkan 1.1 and has a queue for compute jobs. Drawing needs more,
// and the jobs that draw say so if the device lacks it. Everything else that the jobs need stays
// below the limits that Vulkan guarantees for every device, so that no machine takes a path of its
// own.

#include "vk.h"

#include <assert.h>
#include <string.h>

#define GPU_DEF_COOKIE 0x67707531

// Machines with more devices exist; then the first ones are considered.
#define MAX_DEVICES 16
#define MAX_QUEUE_FAMILIES 32

static NcGpuKind get_kind(VkPhysicalDeviceType type)
{
	switch (type)
	{
	case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
		return NC_GPU_DISCRETE;
	case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
		return NC_GPU_INTEGRATED;
	case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
		return NC_GPU_VIRTUAL;
	case VK_PHYSICAL_DEVICE_TYPE_CPU:
		return NC_GPU_SOFTWARE;
	default:
		return NC_GPU_OTHER;
	}
}

// Not tolower(), which depends on the locale.
static char to_lower(char c)
{
	return 'A' <= c && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool starts_with(const char* text, const char* prefix)
{
	for (; *prefix != '\0'; ++text, ++prefix)
	{
		if (to_lower(*text) != to_lower(*prefix))
		{
			return false;
		}
	}
	return true;
}

static bool contains(const char* text, const char* part)
{
	for (const char* rest = text; *rest != '\0'; ++rest)
	{
		if (starts_with(rest, part))
		{
			return true;
		}
	}
	return *part == '\0';
}

int nc_vk_rate_device(
	const NcGpuDef* def, const VkPhysicalDeviceProperties* properties, bool has_compute_queue)
{
	NcGpuKind kind = get_kind(properties->deviceType);
	if (!has_compute_queue || properties->apiVersion < VK_API_VERSION_1_1)
	{
		return 0;
	}
	if (def->kind != NC_GPU_ANY && def->kind != kind)
	{
		return 0;
	}
	if (def->name != NULL && !contains(properties->deviceName, def->name))
	{
		return 0;
	}

	// The kinds are listed from the fastest to the slowest.
	return NC_GPU_OTHER + 1 - (int)kind;
}

// Find a queue that computes, and draws, too, if there is one.
static bool find_family(
	const NcVk* vk, VkPhysicalDevice device, uint32_t* family, bool* has_graphics)
{
	VkQueueFamilyProperties families[MAX_QUEUE_FAMILIES];
	uint32_t count = MAX_QUEUE_FAMILIES;
	vk->GetPhysicalDeviceQueueFamilyProperties(device, &count, families);
	bool is_found = false;
	*has_graphics = false;
	for (uint32_t i = 0; i < count && !*has_graphics; ++i)
	{
		VkQueueFlags flags = families[i].queueFlags;
		if ((flags & VK_QUEUE_COMPUTE_BIT) == 0 || families[i].queueCount == 0)
		{
			continue;
		}
		*has_graphics = (flags & VK_QUEUE_GRAPHICS_BIT) != 0;
		if (!is_found || *has_graphics)
		{
			*family = i;
		}
		is_found = true;
	}
	return is_found;
}

// Vulkan guarantees the colour format of labels, but not the depth format of distances.
static bool has_depth_format(const NcVk* vk, VkPhysicalDevice device)
{
	VkFormatProperties format;
	vk->GetPhysicalDeviceFormatProperties(device, VK_FORMAT_D32_SFLOAT, &format);
	VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
	return (format.optimalTilingFeatures & needed) == needed;
}

static bool choose_device(NcVk* vk, const NcGpuDef* def)
{
	VkPhysicalDevice devices[MAX_DEVICES];
	uint32_t count = MAX_DEVICES;
	if (!NC_VK_TRY(vk, EnumeratePhysicalDevices, vk->instance, &count, devices) &&
		vk->last_error != VK_INCOMPLETE)
	{
		return false;
	}

	int best_rating = 0;
	for (uint32_t i = 0; i < count; ++i)
	{
		VkPhysicalDeviceProperties properties;
		vk->GetPhysicalDeviceProperties(devices[i], &properties);
		uint32_t family = 0;
		bool has_graphics = false;
		bool has_compute_queue = find_family(vk, devices[i], &family, &has_graphics);
		int rating = nc_vk_rate_device(def, &properties, has_compute_queue);
		if (rating > best_rating)
		{
			best_rating = rating;
			vk->physical_device = devices[i];
			vk->properties = properties;
			vk->queue_family = family;
			vk->can_draw = has_graphics && has_depth_format(vk, devices[i]) &&
						   (vk->faults == NULL || !vk->faults->hides_graphics);
		}
	}

	if (best_rating > 0)
	{
		vk->GetPhysicalDeviceMemoryProperties(vk->physical_device, &vk->memory);
		return true;
	}
	return nc_vk_fail(vk, VK_ERROR_INITIALIZATION_FAILED,
		count == 0
			? "there is no Vulkan device"
			: "no Vulkan device has the wanted kind and name, Vulkan 1.1 and a compute queue");
}

static void destroy_device(NcVk* vk)
{
	if (vk->device != VK_NULL_HANDLE)
	{
		vk->DestroyDevice(vk->device, NULL);
	}
	vk->device = VK_NULL_HANDLE;
}

static bool create_device(NcVk* vk)
{
	float priority = 1.0f;
	VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueFamilyIndex = vk->queue_family,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
	};
	if (!NC_VK_TRY(vk, CreateDevice, vk->physical_device, &info, NULL, &vk->device))
	{
		return false;
	}
	if (!nc_vk_load_device_functions(vk))
	{
		destroy_device(vk);
		return false;
	}

	vk->GetDeviceQueue(vk->device, vk->queue_family, 0, &vk->queue);
	return true;
}

NcGpuDef nc_default_gpu_def(void)
{
	return (NcGpuDef){.kind = NC_GPU_ANY, .cookie = GPU_DEF_COOKIE};
}

NcStatus nc_vk_open(const NcGpuDef* def, NcVkFaults* faults, NcGpu** gpu, NcError* error)
{
	assert(def != NULL && def->cookie == GPU_DEF_COOKIE && gpu != NULL);

	*gpu = NULL;
	NcGpu* opened = nc_allocate(NULL, 0, sizeof(NcGpu));
	if (opened == NULL)
	{
		return nc_vk_set_error(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "out of memory");
	}

	*opened = (NcGpu){.vk = {.faults = faults}};
	NcVk* vk = &opened->vk;
	if (nc_vk_load_library(vk, def->loader_path) && nc_vk_instance_create(vk, def) &&
		choose_device(vk, def) && create_device(vk) && nc_vk_commands_create(vk))
	{
		*gpu = opened;
		return NC_OK;
	}

	NcStatus status = nc_vk_report(vk, error);
	nc_gpu_close(opened);
	return status;
}

NcStatus nc_gpu_open(const NcGpuDef* def, NcGpu** gpu, NcError* error)
{
	return nc_vk_open(def, NULL, gpu, error);
}

void nc_gpu_close(NcGpu* gpu)
{
	if (gpu == NULL)
	{
		return;
	}

	NcVk* vk = &gpu->vk;
	if (vk->device != VK_NULL_HANDLE)
	{
		nc_mesh_raster_destroy(vk, &gpu->raster);
		nc_vk_pipeline_destroy(vk, &gpu->project);
		nc_vk_pipeline_destroy(vk, &gpu->rows);
		nc_vk_pipeline_destroy(vk, &gpu->extract);
		nc_vk_pipeline_destroy(vk, &gpu->inside);
		nc_vk_pipeline_destroy(vk, &gpu->wind);
		nc_vk_pipeline_destroy(vk, &gpu->mesh);
		nc_vk_pipeline_destroy(vk, &gpu->cull);
		nc_vk_pipeline_destroy(vk, &gpu->clearance);
		nc_vk_commands_destroy(vk);
	}
	destroy_device(vk);
	nc_vk_instance_destroy(vk);
	nc_vk_unload_library(vk);
	nc_allocate(gpu, sizeof(NcGpu), 0);
}

static uint64_t find_largest_device_heap(const VkPhysicalDeviceMemoryProperties* memory)
{
	uint64_t largest = 0;
	for (uint32_t i = 0; i < memory->memoryHeapCount; ++i)
	{
		VkMemoryHeap heap = memory->memoryHeaps[i];
		if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 && heap.size > largest)
		{
			largest = heap.size;
		}
	}
	return largest;
}

NcGpuInfo nc_gpu_get_info(const NcGpu* gpu)
{
	assert(gpu != NULL);

	const VkPhysicalDeviceProperties* properties = &gpu->vk.properties;
	NcGpuInfo info = {
		.name = properties->deviceName,
		.kind = get_kind(properties->deviceType),
		.version_major = (int)VK_API_VERSION_MAJOR(properties->apiVersion),
		.version_minor = (int)VK_API_VERSION_MINOR(properties->apiVersion),
		.version_patch = (int)VK_API_VERSION_PATCH(properties->apiVersion),
		.memory_size = find_largest_device_heap(&gpu->vk.memory),
		.max_storage_size = properties->limits.maxStorageBufferRange,
		.max_image_size = properties->limits.maxImageDimension2D,
	};
	memcpy(info.max_group_counts, properties->limits.maxComputeWorkGroupCount,
		sizeof(info.max_group_counts));
	return info;
}

const char* nc_gpu_kind_name(NcGpuKind kind)
{
	static const char* const names[] = {
		"any", "discrete", "integrated", "virtual", "software", "other"};
	assert(NC_GPU_ANY <= kind && kind <= NC_GPU_OTHER);
	return names[kind];
}

bool nc_gpu_is_lost(const NcGpu* gpu)
{
	assert(gpu != NULL);
	return gpu->vk.is_lost;
}
