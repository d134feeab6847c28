// SPDX-License-Identifier: MIT

// A compute shader ready to run: its code, the layout of its bindings, and one set of bindings.
// The device runs one job at a time, so a job may change the set whenever it is not waiting.

#include "vk.h"

#include <assert.h>

static bool create_set_layout(NcVk* vk, NcVkPipeline* pipeline)
{
	VkDescriptorSetLayoutBinding bindings[NC_VK_MAX_BUFFERS];
	for (int i = 0; i < pipeline->buffer_count; ++i)
	{
		bindings[i] = (VkDescriptorSetLayoutBinding){
			.binding = (uint32_t)i,
			.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
			.descriptorCount = 1,
			.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
		};
	}

	VkDescriptorSetLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = (uint32_t)pipeline->buffer_count,
		.pBindings = bindings,
	};
	return NC_VK_TRY(vk, CreateDescriptorSetLayout, vk->device, &info, NULL, &pipeline->set_layout);
}

static bool create_layout(NcVk* vk, NcVkPipeline* pipeline)
{
	VkPushConstantRange constants = {
		.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
		.size = (uint32_t)pipeline->constant_size,
	};
	VkPipelineLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pSetLayouts = &pipeline->set_layout,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &constants,
	};
	return NC_VK_TRY(vk, CreatePipelineLayout, vk->device, &info, NULL, &pipeline->layout);
}

static bool create_from_module(NcVk* vk, VkShaderModule module, NcVkPipeline* pipeline)
{
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage =
			{
				.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
				.stage = VK_SHADER_STAGE_COMPUTE_BIT,
				.module = module,
				.pName = "main",
			},
		.layout = pipeline->layout,
	};
	return NC_VK_TRY(vk, CreateComputePipelines, vk->device, VK_NULL_HANDLE, 1, &info, NULL,
		&pipeline->pipeline);
}

static bool create_pipeline(NcVk* vk, const NcVkPipelineDef* def, NcVkPipeline* pipeline)
{
	VkShaderModuleCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = def->code_size,
		.pCode = def->code,
	};
	VkShaderModule module = VK_NULL_HANDLE;
	bool is_created = NC_VK_TRY(vk, CreateShaderModule, vk->device, &info, NULL, &module) &&
					  create_from_module(vk, module, pipeline);

	// The pipeline has its own copy of the code.
	vk->DestroyShaderModule(vk->device, module, NULL);
	return is_created;
}

static bool create_pool(NcVk* vk, NcVkPipeline* pipeline)
{
	VkDescriptorPoolSize size = {
		.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.descriptorCount = (uint32_t)pipeline->buffer_count,
	};
	VkDescriptorPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 1,
		.pPoolSizes = &size,
	};
	return NC_VK_TRY(vk, CreateDescriptorPool, vk->device, &info, NULL, &pipeline->pool);
}

static bool allocate_set(NcVk* vk, NcVkPipeline* pipeline)
{
	VkDescriptorSetAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = pipeline->pool,
		.descriptorSetCount = 1,
		.pSetLayouts = &pipeline->set_layout,
	};
	return NC_VK_TRY(vk, AllocateDescriptorSets, vk->device, &info, &pipeline->set);
}

bool nc_vk_pipeline_create(NcVk* vk, const NcVkPipelineDef* def, NcVkPipeline* pipeline)
{
	assert(0 < def->buffer_count && def->buffer_count <= NC_VK_MAX_BUFFERS);
	assert(0 < def->constant_size && def->constant_size % 4 == 0);

	*pipeline = (NcVkPipeline){
		.buffer_count = def->buffer_count,
		.constant_size = def->constant_size,
	};
	if (create_set_layout(vk, pipeline) && create_layout(vk, pipeline) &&
		create_pipeline(vk, def, pipeline) && create_pool(vk, pipeline) &&
		allocate_set(vk, pipeline))
	{
		return true;
	}

	nc_vk_pipeline_destroy(vk, pipeline);
	return false;
}

void nc_vk_pipeline_destroy(const NcVk* vk, NcVkPipeline* pipeline)
{
	// Vulkan ignores null handles, and destroying the pool frees its set.
	vk->DestroyDescriptorPool(vk->device, pipeline->pool, NULL);
	vk->DestroyPipeline(vk->device, pipeline->pipeline, NULL);
	vk->DestroyPipelineLayout(vk->device, pipeline->layout, NULL);
	vk->DestroyDescriptorSetLayout(vk->device, pipeline->set_layout, NULL);
	*pipeline = (NcVkPipeline){0};
}

void nc_vk_pipeline_bind(const NcVk* vk, const NcVkPipeline* pipeline, const NcVkBuffer* buffers)
{
	VkDescriptorBufferInfo infos[NC_VK_MAX_BUFFERS];
	VkWriteDescriptorSet writes[NC_VK_MAX_BUFFERS];
	for (int i = 0; i < pipeline->buffer_count; ++i)
	{
		infos[i] = (VkDescriptorBufferInfo){.buffer = buffers[i].buffer, .range = VK_WHOLE_SIZE};
		writes[i] = (VkWriteDescriptorSet){
			.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
			.dstSet = pipeline->set,
			.dstBinding = (uint32_t)i,
			.descriptorCount = 1,
			.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
			.pBufferInfo = &infos[i],
		};
	}
	vk->UpdateDescriptorSets(vk->device, (uint32_t)pipeline->buffer_count, writes, 0, NULL);
}

void nc_vk_dispatch(const NcVk* vk, const NcVkPipeline* pipeline, const void* constants,
	uint32_t group_count_x, uint32_t group_count_y)
{
	VkCommandBuffer commands = vk->commands;
	vk->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
	vk->CmdBindDescriptorSets(
		commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0, 1, &pipeline->set, 0, NULL);
	vk->CmdPushConstants(commands, pipeline->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
		(uint32_t)pipeline->constant_size, constants);
	vk->CmdDispatch(commands, group_count_x, group_count_y, 1);
}
