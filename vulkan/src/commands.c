// SPDX-License-Identifier: MIT

// Recording, submitting and waiting. A job records its commands, submits them, waits, and reads the
// result: one command buffer and one fence are enough for all jobs of a device.

#include "vk.h"

static bool create_pool(NcVk* vk)
{
	VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
		.queueFamilyIndex = vk->queue_family,
	};
	return NC_VK_TRY(vk, CreateCommandPool, vk->device, &info, NULL, &vk->command_pool);
}

static bool allocate_buffer(NcVk* vk)
{
	VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = vk->command_pool,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};
	return NC_VK_TRY(vk, AllocateCommandBuffers, vk->device, &info, &vk->commands);
}

static bool create_fence(NcVk* vk)
{
	VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	return NC_VK_TRY(vk, CreateFence, vk->device, &info, NULL, &vk->fence);
}

bool nc_vk_commands_create(NcVk* vk)
{
	if (create_pool(vk) && allocate_buffer(vk) && create_fence(vk))
	{
		return true;
	}

	nc_vk_commands_destroy(vk);
	return false;
}

void nc_vk_commands_destroy(NcVk* vk)
{
	// Vulkan ignores null handles, and destroying the pool frees its command buffer.
	vk->DestroyFence(vk->device, vk->fence, NULL);
	vk->DestroyCommandPool(vk->device, vk->command_pool, NULL);
	vk->fence = VK_NULL_HANDLE;
	vk->commands = VK_NULL_HANDLE;
	vk->command_pool = VK_NULL_HANDLE;
}

bool nc_vk_begin(NcVk* vk)
{
	VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
	};
	return NC_VK_TRY(vk, ResetCommandPool, vk->device, vk->command_pool, 0) &&
		   NC_VK_TRY(vk, BeginCommandBuffer, vk->commands, &info);
}

void nc_vk_barrier(const NcVk* vk, VkPipelineStageFlags from, VkAccessFlags written,
	VkPipelineStageFlags to, VkAccessFlags used)
{
	VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = written,
		.dstAccessMask = used,
	};
	vk->CmdPipelineBarrier(vk->commands, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

bool nc_vk_submit_and_wait(NcVk* vk)
{
	VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &vk->commands,
	};
	if (NC_VK_TRY(vk, EndCommandBuffer, vk->commands) &&
		NC_VK_TRY(vk, ResetFences, vk->device, 1, &vk->fence) &&
		NC_VK_TRY(vk, QueueSubmit, vk->queue, 1, &submit, vk->fence) &&
		NC_VK_TRY(vk, WaitForFences, vk->device, 1, &vk->fence, VK_TRUE, UINT64_MAX))
	{
		return true;
	}

	// The commands may be running although waiting for them failed, and what they use is about to
	// be destroyed. A lost device returns from this at once, and there is nothing else to try.
	vk->DeviceWaitIdle(vk->device);
	return false;
}
