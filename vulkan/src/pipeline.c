// SPDX-License-Identifier: MIT

// Shaders ready to run: their code, the layout of their bindings, and one set of bindings. Either
// one compute shader, or a vertex and a fragment shader that draw quads into a colour and a depth
// image. The device runs one job at a time, so a job may change the set whenever it is not waiting.

#include "vk.h"

#include "shared.h"

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
			.stageFlags = pipeline->stages,
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
		.stageFlags = pipeline->stages,
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

static VkPipelineShaderStageCreateInfo describe_stage(
	VkShaderStageFlagBits stage, VkShaderModule module)
{
	return (VkPipelineShaderStageCreateInfo){
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.stage = stage,
		.module = module,
		.pName = "main",
	};
}

static bool create_compute(NcVk* vk, VkShaderModule module, NcVkPipeline* pipeline)
{
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = describe_stage(VK_SHADER_STAGE_COMPUTE_BIT, module),
		.layout = pipeline->layout,
	};
	return NC_VK_TRY(vk, CreateComputePipelines, vk->device, VK_NULL_HANDLE, 1, &info, NULL,
		&pipeline->pipeline);
}

// Quads without vertex buffers, whose fragments pass if they are nearer than what is there.
static bool create_graphics(
	NcVk* vk, const VkShaderModule* modules, VkRenderPass render_pass, NcVkPipeline* pipeline)
{
	VkPipelineShaderStageCreateInfo stages[2] = {
		describe_stage(VK_SHADER_STAGE_VERTEX_BIT, modules[0]),
		describe_stage(VK_SHADER_STAGE_FRAGMENT_BIT, modules[1]),
	};
	VkPipelineVertexInputStateCreateInfo input = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
	VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
	};
	VkViewport area = {.width = NC_MESH_CHUNK_SIZE, .height = NC_MESH_CHUNK_SIZE, .maxDepth = 1.0f};
	VkRect2D scissor = {.extent = {NC_MESH_CHUNK_SIZE, NC_MESH_CHUNK_SIZE}};
	VkPipelineViewportStateCreateInfo viewport = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
		.viewportCount = 1,
		.pViewports = &area,
		.scissorCount = 1,
		.pScissors = &scissor,
	};
	VkPipelineRasterizationStateCreateInfo rasterization = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.polygonMode = VK_POLYGON_MODE_FILL,
		.cullMode = VK_CULL_MODE_NONE,
		.lineWidth = 1.0f,
	};
	VkPipelineMultisampleStateCreateInfo samples = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
	};
	VkPipelineDepthStencilStateCreateInfo depth = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
		.depthTestEnable = VK_TRUE,
		.depthWriteEnable = VK_TRUE,
		.depthCompareOp = VK_COMPARE_OP_LESS,
	};
	VkPipelineColorBlendAttachmentState color = {.colorWriteMask = VK_COLOR_COMPONENT_R_BIT};
	VkPipelineColorBlendStateCreateInfo blend = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.attachmentCount = 1,
		.pAttachments = &color,
	};
	VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.stageCount = 2,
		.pStages = stages,
		.pVertexInputState = &input,
		.pInputAssemblyState = &assembly,
		.pViewportState = &viewport,
		.pRasterizationState = &rasterization,
		.pMultisampleState = &samples,
		.pDepthStencilState = &depth,
		.pColorBlendState = &blend,
		.layout = pipeline->layout,
		.renderPass = render_pass,
	};
	return NC_VK_TRY(vk, CreateGraphicsPipelines, vk->device, VK_NULL_HANDLE, 1, &info, NULL,
		&pipeline->pipeline);
}

static bool create_module(NcVk* vk, const uint32_t* code, size_t size, VkShaderModule* module)
{
	VkShaderModuleCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = size,
		.pCode = code,
	};
	return NC_VK_TRY(vk, CreateShaderModule, vk->device, &info, NULL, module);
}

static bool create_pipeline(NcVk* vk, const NcVkPipelineDef* def, NcVkPipeline* pipeline)
{
	VkShaderModule modules[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
	bool is_created = create_module(vk, def->code, def->code_size, &modules[0]);
	if (def->fragment_code == NULL)
	{
		is_created = is_created && create_compute(vk, modules[0], pipeline);
	}
	else
	{
		is_created = is_created &&
					 create_module(vk, def->fragment_code, def->fragment_code_size, &modules[1]) &&
					 create_graphics(vk, modules, def->render_pass, pipeline);
	}

	// The pipeline has its own copy of the code, and Vulkan ignores null handles.
	vk->DestroyShaderModule(vk->device, modules[0], NULL);
	vk->DestroyShaderModule(vk->device, modules[1], NULL);
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

	if (pipeline->pipeline != VK_NULL_HANDLE)
	{
		return true;
	}
	*pipeline = (NcVkPipeline){
		.stages = def->fragment_code == NULL
					  ? VK_SHADER_STAGE_COMPUTE_BIT
					  : VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
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

// Record which shaders run, with which bindings and constants.
static void use_pipeline(
	const NcVk* vk, const NcVkPipeline* pipeline, VkPipelineBindPoint point, const void* constants)
{
	VkCommandBuffer commands = vk->commands;
	vk->CmdBindPipeline(commands, point, pipeline->pipeline);
	vk->CmdBindDescriptorSets(commands, point, pipeline->layout, 0, 1, &pipeline->set, 0, NULL);
	vk->CmdPushConstants(commands, pipeline->layout, pipeline->stages, 0,
		(uint32_t)pipeline->constant_size, constants);
}

void nc_vk_dispatch(const NcVk* vk, const NcVkPipeline* pipeline, const void* constants,
	uint32_t group_count_x, uint32_t group_count_y)
{
	use_pipeline(vk, pipeline, VK_PIPELINE_BIND_POINT_COMPUTE, constants);
	vk->CmdDispatch(vk->commands, group_count_x, group_count_y, 1);
}

void nc_vk_draw_quads(
	const NcVk* vk, const NcVkPipeline* pipeline, const void* constants, uint32_t instance_count)
{
	use_pipeline(vk, pipeline, VK_PIPELINE_BIND_POINT_GRAPHICS, constants);
	vk->CmdDraw(vk->commands, 4, instance_count, 0, 0);
}
