// SPDX-License-Identifier: MIT

// Drawing distance meshes: two images of the size of a chunk, labels as colour and squared
// distances as depth, and the pipeline that draws the candidates of tiles into them. A device that
// only computes cannot do this; mesh.comp gives the same pixels.

#include "vk.h"

#include "gather.comp.h"
#include "mesh.frag.h"
#include "mesh.vert.h"
#include "shared.h"

typedef struct NcMeshParams NcMeshParams;
typedef struct NcGatherParams NcGatherParams;

enum
{
	COLOR,
	DEPTH
};

#define PIXEL_COUNT (NC_MESH_CHUNK_SIZE * NC_MESH_CHUNK_SIZE)

static const VkFormat formats[] = {VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT};

static const VkImageAspectFlags aspects[] = {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT};

static const VkImageUsageFlags usages[] = {
	VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT};

static const VkImageLayout layouts[] = {
	VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};

static const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
	VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT};

static const VkAccessFlags accesses[] = {
	VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
	VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};

static bool create_image(NcVk* vk, NcMeshRaster* raster, int i)
{
	VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = formats[i],
		.extent = {NC_MESH_CHUNK_SIZE, NC_MESH_CHUNK_SIZE, 1},
		.mipLevels = 1,
		.arrayLayers = 1,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.tiling = VK_IMAGE_TILING_OPTIMAL,
		.usage = usages[i] | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
		.sharingMode = VK_SHARING_MODE_EXCLUSIVE,
		.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
	};
	return NC_VK_TRY(vk, CreateImage, vk->device, &info, NULL, &raster->images[i]);
}

static bool bind_memory(NcVk* vk, NcMeshRaster* raster, int i)
{
	VkMemoryRequirements needs;
	vk->GetImageMemoryRequirements(vk->device, raster->images[i], &needs);
	VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs.size,
	};
	return nc_vk_find_device_memory(vk, needs.memoryTypeBits, &info.memoryTypeIndex) &&
		   NC_VK_TRY(vk, AllocateMemory, vk->device, &info, NULL, &raster->memories[i]) &&
		   NC_VK_TRY(vk, BindImageMemory, vk->device, raster->images[i], raster->memories[i], 0);
}

static bool create_view(NcVk* vk, NcMeshRaster* raster, int i)
{
	VkImageViewCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.image = raster->images[i],
		.viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = formats[i],
		.subresourceRange = {.aspectMask = aspects[i], .levelCount = 1, .layerCount = 1},
	};
	return NC_VK_TRY(vk, CreateImageView, vk->device, &info, NULL, &raster->views[i]);
}

// What is in the images stays, so that a chunk can be drawn in several passes.
static bool create_render_pass(NcVk* vk, NcMeshRaster* raster)
{
	VkAttachmentDescription attachments[2];
	for (int i = 0; i < 2; ++i)
	{
		attachments[i] = (VkAttachmentDescription){
			.format = formats[i],
			.samples = VK_SAMPLE_COUNT_1_BIT,
			.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
			.storeOp = VK_ATTACHMENT_STORE_OP_STORE,
			.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
			.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
			.initialLayout = layouts[i],
			.finalLayout = layouts[i],
		};
	}
	VkAttachmentReference color = {COLOR, layouts[COLOR]};
	VkAttachmentReference depth = {DEPTH, layouts[DEPTH]};
	VkSubpassDescription subpass = {
		.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
		.colorAttachmentCount = 1,
		.pColorAttachments = &color,
		.pDepthStencilAttachment = &depth,
	};
	VkRenderPassCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = 2,
		.pAttachments = attachments,
		.subpassCount = 1,
		.pSubpasses = &subpass,
	};
	return NC_VK_TRY(vk, CreateRenderPass, vk->device, &info, NULL, &raster->render_pass);
}

static bool create_framebuffer(NcVk* vk, NcMeshRaster* raster)
{
	VkFramebufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.renderPass = raster->render_pass,
		.attachmentCount = 2,
		.pAttachments = raster->views,
		.width = NC_MESH_CHUNK_SIZE,
		.height = NC_MESH_CHUNK_SIZE,
		.layers = 1,
	};
	return NC_VK_TRY(vk, CreateFramebuffer, vk->device, &info, NULL, &raster->framebuffer);
}

static bool create_pipelines(NcVk* vk, NcMeshRaster* raster)
{
	NcVkPipelineDef draw = {
		.code = nc_mesh_vert_spv,
		.code_size = sizeof(nc_mesh_vert_spv),
		.fragment_code = nc_mesh_frag_spv,
		.fragment_code_size = sizeof(nc_mesh_frag_spv),
		.render_pass = raster->render_pass,
		// The pixels of mesh.comp are not among them.
		.buffer_count = NC_MESH_BUFFER_COUNT - 1,
		.constant_size = (int)sizeof(NcMeshParams),
	};
	NcVkPipelineDef gather = {
		.code = nc_gather_comp_spv,
		.code_size = sizeof(nc_gather_comp_spv),
		.buffer_count = NC_GATHER_BUFFER_COUNT,
		.constant_size = (int)sizeof(NcGatherParams),
	};
	return nc_vk_pipeline_create(vk, &draw, &raster->pipeline) &&
		   nc_vk_pipeline_create(vk, &gather, &raster->gather);
}

bool nc_mesh_raster_create(NcVk* vk, NcMeshRaster* raster)
{
	if (raster->framebuffer != VK_NULL_HANDLE)
	{
		return true;
	}
	if (!vk->can_draw)
	{
		return nc_vk_fail(vk, VK_ERROR_FEATURE_NOT_PRESENT,
			"the Vulkan device cannot draw with depth in single precision");
	}

	bool is_created = true;
	for (int i = 0; i < 2 && is_created; ++i)
	{
		is_created = create_image(vk, raster, i) && bind_memory(vk, raster, i) &&
					 create_view(vk, raster, i) &&
					 nc_vk_buffer_create(
						 vk, PIXEL_COUNT * sizeof(uint32_t), NC_VK_DEVICE, &raster->copies[i]);
	}
	if (is_created && create_render_pass(vk, raster) && create_pipelines(vk, raster) &&
		create_framebuffer(vk, raster))
	{
		return true;
	}
	nc_mesh_raster_destroy(vk, raster);
	return false;
}

void nc_mesh_raster_destroy(const NcVk* vk, NcMeshRaster* raster)
{
	nc_vk_pipeline_destroy(vk, &raster->gather);
	nc_vk_pipeline_destroy(vk, &raster->pipeline);
	vk->DestroyFramebuffer(vk->device, raster->framebuffer, NULL);
	vk->DestroyRenderPass(vk->device, raster->render_pass, NULL);
	for (int i = 0; i < 2; ++i)
	{
		nc_vk_buffer_destroy(vk, &raster->copies[i]);
		vk->DestroyImageView(vk->device, raster->views[i], NULL);
		vk->DestroyImage(vk->device, raster->images[i], NULL);
		vk->FreeMemory(vk->device, raster->memories[i], NULL);
	}
	*raster = (NcMeshRaster){0};
}

// How an image is used, and how it is laid out for that.
typedef struct ImageUse
{
	VkPipelineStageFlags stage;
	VkAccessFlags access;
	VkImageLayout layout;
} ImageUse;

static void change_use(
	const NcVk* vk, const NcMeshRaster* raster, int i, ImageUse before, ImageUse after)
{
	VkImageMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = before.access,
		.dstAccessMask = after.access,
		.oldLayout = before.layout,
		.newLayout = after.layout,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = raster->images[i],
		.subresourceRange = {.aspectMask = aspects[i], .levelCount = 1, .layerCount = 1},
	};
	vk->CmdPipelineBarrier(
		vk->commands, before.stage, after.stage, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static ImageUse get_drawing_use(int i)
{
	return (ImageUse){stages[i], accesses[i], layouts[i]};
}

void nc_mesh_raster_clear(const NcVk* vk, const NcMeshRaster* raster)
{
	ImageUse nothing = {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED};
	ImageUse clearing = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
		VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
	for (int i = 0; i < 2; ++i)
	{
		VkImageSubresourceRange all = {.aspectMask = aspects[i], .levelCount = 1, .layerCount = 1};
		change_use(vk, raster, i, nothing, clearing);
		if (i == COLOR)
		{
			VkClearColorValue value = {.uint32 = {NC_GPU_NO_SEGMENT}};
			vk->CmdClearColorImage(
				vk->commands, raster->images[i], clearing.layout, &value, 1, &all);
		}
		else
		{
			VkClearDepthStencilValue value = {.depth = 1.0f};
			vk->CmdClearDepthStencilImage(
				vk->commands, raster->images[i], clearing.layout, &value, 1, &all);
		}
		change_use(vk, raster, i, clearing, get_drawing_use(i));
	}
}

void nc_mesh_raster_draw(
	const NcVk* vk, const NcMeshRaster* raster, const void* constants, uint32_t candidate_count)
{
	VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = raster->render_pass,
		.framebuffer = raster->framebuffer,
		.renderArea = {.extent = {NC_MESH_CHUNK_SIZE, NC_MESH_CHUNK_SIZE}},
	};
	for (int i = 0; i < 2; ++i)
	{
		change_use(vk, raster, i, get_drawing_use(i), get_drawing_use(i));
	}
	vk->CmdBeginRenderPass(vk->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
	nc_vk_draw_quads(vk, &raster->pipeline, constants, candidate_count);
	vk->CmdEndRenderPass(vk->commands);
}

void nc_mesh_raster_gather(const NcVk* vk, const NcMeshRaster* raster, float depth_scale)
{
	ImageUse copying = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT,
		VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
	for (int i = 0; i < 2; ++i)
	{
		VkBufferImageCopy region = {
			.imageSubresource = {.aspectMask = aspects[i], .layerCount = 1},
			.imageExtent = {NC_MESH_CHUNK_SIZE, NC_MESH_CHUNK_SIZE, 1},
		};
		change_use(vk, raster, i, get_drawing_use(i), copying);
		vk->CmdCopyImageToBuffer(
			vk->commands, raster->images[i], copying.layout, raster->copies[i].buffer, 1, &region);
	}
	nc_vk_barrier(vk, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
		VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
	NcGatherParams params = {.distance_scale = 1.0f / depth_scale};
	nc_vk_dispatch(vk, &raster->gather, &params, PIXEL_COUNT / NC_MESH_SCAN_GROUP_SIZE, 1);
}
