// SPDX-License-Identifier: MIT

// Storage buffers. Most of them the host sees as ordinary memory: they are coherent, so nothing
// needs to be flushed, and stay mapped for their whole life. What only shaders see is in the memory
// of the device.

#include "vk.h"

// Vulkan guarantees a memory type with these for every buffer.
#define NEEDED_MEMORY (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

// Find the first memory type out of `allowed` that has all of `wanted`.
static bool find_memory_type(
	const NcVk* vk, uint32_t allowed, VkMemoryPropertyFlags wanted, uint32_t* type)
{
	for (uint32_t i = 0; i < vk->memory.memoryTypeCount; ++i)
	{
		VkMemoryPropertyFlags flags = vk->memory.memoryTypes[i].propertyFlags;
		if ((allowed >> i & 1u) != 0 && (flags & wanted) == wanted)
		{
			*type = i;
			return true;
		}
	}
	return false;
}

bool nc_vk_find_device_memory(NcVk* vk, uint32_t allowed, uint32_t* type)
{
	// A driver lists at least one type for everything; the fastest ones come first.
	return find_memory_type(vk, allowed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, type) ||
		   find_memory_type(vk, allowed, 0, type) ||
		   nc_vk_fail(vk, VK_ERROR_FEATURE_NOT_PRESENT, "the Vulkan device has no memory for us");
}

// Reading memory that the processor does not cache is very slow; writing it in order is not.
static bool choose_memory_type(NcVk* vk, uint32_t allowed, NcVkBufferUse use, uint32_t* type)
{
	if (use == NC_VK_DEVICE)
	{
		return nc_vk_find_device_memory(vk, allowed, type);
	}
	if (use == NC_VK_READBACK &&
		find_memory_type(vk, allowed, NEEDED_MEMORY | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, type))
	{
		return true;
	}
	return find_memory_type(vk, allowed, NEEDED_MEMORY, type) ||
		   nc_vk_fail(vk, VK_ERROR_FEATURE_NOT_PRESENT, "the Vulkan device has no shared memory");
}

static bool create_handle(NcVk* vk, NcVkBuffer* buffer)
{
	VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = buffer->size,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
				 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
		.sharingMode = VK_SHARING_MODE_EXCLUSIVE,
	};
	return NC_VK_TRY(vk, CreateBuffer, vk->device, &info, NULL, &buffer->buffer);
}

static bool bind_memory(NcVk* vk, NcVkBufferUse use, NcVkBuffer* buffer)
{
	VkDevice device = vk->device;
	VkMemoryRequirements needs;
	vk->GetBufferMemoryRequirements(device, buffer->buffer, &needs);

	uint32_t type = 0;
	if (!choose_memory_type(vk, needs.memoryTypeBits, use, &type))
	{
		return false;
	}

	VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs.size,
		.memoryTypeIndex = type,
	};
	return NC_VK_TRY(vk, AllocateMemory, device, &info, NULL, &buffer->memory) &&
		   NC_VK_TRY(vk, BindBufferMemory, device, buffer->buffer, buffer->memory, 0) &&
		   (use == NC_VK_DEVICE || NC_VK_TRY(vk, MapMemory, device, buffer->memory, 0,
									   VK_WHOLE_SIZE, 0, &buffer->data));
}

bool nc_vk_buffer_create(NcVk* vk, VkDeviceSize size, NcVkBufferUse use, NcVkBuffer* buffer)
{
	*buffer = (NcVkBuffer){.size = size};
	if (size > vk->properties.limits.maxStorageBufferRange)
	{
		*buffer = (NcVkBuffer){0};
		return nc_vk_fail(vk, VK_ERROR_OUT_OF_DEVICE_MEMORY,
			"the job needs a larger buffer than the Vulkan device has");
	}
	if (create_handle(vk, buffer) && bind_memory(vk, use, buffer))
	{
		return true;
	}

	nc_vk_buffer_destroy(vk, buffer);
	return false;
}

void nc_vk_buffer_destroy(const NcVk* vk, NcVkBuffer* buffer)
{
	// Vulkan ignores null handles, and freeing memory unmaps it.
	vk->DestroyBuffer(vk->device, buffer->buffer, NULL);
	vk->FreeMemory(vk->device, buffer->memory, NULL);
	*buffer = (NcVkBuffer){0};
}

bool nc_vk_buffer_reserve(NcVk* vk, VkDeviceSize size, NcVkBufferUse use, NcVkBuffer* buffer)
{
	if (size <= buffer->size)
	{
		return true;
	}
	nc_vk_buffer_destroy(vk, buffer);
	return nc_vk_buffer_create(vk, size, use, buffer);
}

void nc_vk_copy(const NcVk* vk, const NcVkBuffer* from, const NcVkBuffer* to, VkDeviceSize size)
{
	VkBufferCopy region = {.size = size};
	vk->CmdCopyBuffer(vk->commands, from->buffer, to->buffer, 1, &region);
}
