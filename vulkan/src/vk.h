// SPDX-License-Identifier: MIT
#pragma once

// The thin layer over Vulkan, private to this folder.
//
//     loader.c    the library and its functions
//     result.c    what calls return: remembered, faked by tests, translated for our callers
//     instance.c  the instance and the messages of the validation layer
//     device.c    choosing and opening a device; the public functions about it
//     commands.c  recording, submitting and waiting
//     buffer.c    memory that the host and the shaders see
//     pipeline.c  shaders with their bindings
//     mesh_raster.c  images, and drawing distance meshes into them
//
// A function that can fail returns whether it worked, and leaves the reason in the NcVk. What it
// creates is then all null again, and every destroy function accepts that.

#include "nav_corridor/gpu.h"

// Without this, the header declares functions that somebody could link to by mistake.
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

// The Vulkan functions we call, and no others. Adding one here declares and loads it.

// Needed before there is an instance, or to undo its creation: exported by the loader itself.
#define NC_VK_LOADER_FUNCTIONS(X) \
	X(CreateInstance) \
	X(DestroyInstance) \
	X(GetInstanceProcAddr)

// Those that destroy or stop a device are here, so that they are known before it is created.
#define NC_VK_INSTANCE_FUNCTIONS(X) \
	X(CreateDevice) \
	X(DestroyDevice) \
	X(DeviceWaitIdle) \
	X(EnumeratePhysicalDevices) \
	X(GetDeviceProcAddr) \
	X(GetPhysicalDeviceFormatProperties) \
	X(GetPhysicalDeviceMemoryProperties) \
	X(GetPhysicalDeviceProperties) \
	X(GetPhysicalDeviceQueueFamilyProperties)

// Exist only with the validation layer.
#define NC_VK_MESSAGE_FUNCTIONS(X) \
	X(CreateDebugUtilsMessengerEXT) \
	X(DestroyDebugUtilsMessengerEXT)

#define NC_VK_DEVICE_FUNCTIONS(X) \
	X(AllocateCommandBuffers) \
	X(AllocateDescriptorSets) \
	X(AllocateMemory) \
	X(BeginCommandBuffer) \
	X(BindBufferMemory) \
	X(BindImageMemory) \
	X(CmdBeginRenderPass) \
	X(CmdBindDescriptorSets) \
	X(CmdBindPipeline) \
	X(CmdClearColorImage) \
	X(CmdClearDepthStencilImage) \
	X(CmdCopyBuffer) \
	X(CmdCopyImageToBuffer) \
	X(CmdDispatch) \
	X(CmdDraw) \
	X(CmdEndRenderPass) \
	X(CmdPipelineBarrier) \
	X(CmdPushConstants) \
	X(CreateBuffer) \
	X(CreateCommandPool) \
	X(CreateComputePipelines) \
	X(CreateDescriptorPool) \
	X(CreateDescriptorSetLayout) \
	X(CreateFence) \
	X(CreateFramebuffer) \
	X(CreateGraphicsPipelines) \
	X(CreateImage) \
	X(CreateImageView) \
	X(CreatePipelineLayout) \
	X(CreateRenderPass) \
	X(CreateShaderModule) \
	X(DestroyBuffer) \
	X(DestroyCommandPool) \
	X(DestroyDescriptorPool) \
	X(DestroyDescriptorSetLayout) \
	X(DestroyFence) \
	X(DestroyFramebuffer) \
	X(DestroyImage) \
	X(DestroyImageView) \
	X(DestroyPipeline) \
	X(DestroyPipelineLayout) \
	X(DestroyRenderPass) \
	X(DestroyShaderModule) \
	X(EndCommandBuffer) \
	X(FreeMemory) \
	X(GetBufferMemoryRequirements) \
	X(GetDeviceQueue) \
	X(GetImageMemoryRequirements) \
	X(MapMemory) \
	X(QueueSubmit) \
	X(ResetCommandPool) \
	X(ResetFences) \
	X(UpdateDescriptorSets) \
	X(WaitForFences)

// The fault table: lets a test make chosen calls fail without reaching the driver. Belongs to the
// test and must outlive the device. Calls that return nothing are not counted: they cannot fail.
typedef struct NcVkFaults
{
	int call_count;      // calls and function lookups up to now
	int first_failing;   // counted from 1; 0 lets all work
	int failing_count;   // how many fail, from that one on
	VkResult result;     // what they return
	const char* failed;  // the name of the first one that was made to fail, or NULL
	bool is_lookup;      // whether that was the lookup of the function and not its call
	bool hides_graphics; // the device seems to have no queue that draws
} NcVkFaults;

// A device with its queue and its function table. There are no global Vulkan pointers: inside Godot
// they would collide with the engine's own. If `device` is set, so are all functions.
typedef struct NcVk
{
	void* library; // the Vulkan loader
	VkInstance instance;
	VkDebugUtilsMessengerEXT messenger; // null without validation
	NcGpuMessageFn* message;
	void* message_context;

	VkPhysicalDevice physical_device;
	VkPhysicalDeviceProperties properties;
	VkPhysicalDeviceMemoryProperties memory;
	VkDevice device;
	VkQueue queue;
	uint32_t queue_family;
	bool can_draw; // the queue draws, too, and depth has single precision

	// One job at a time: these serve all of them.
	VkCommandPool command_pool;
	VkCommandBuffer commands;
	VkFence fence;

	VkResult last_error;
	const char* reason; // a static sentence that says more than `last_error`, or NULL
	bool is_lost;       // a call said VK_ERROR_DEVICE_LOST
	NcVkFaults* faults; // NULL outside of tests

#define X(name) PFN_vk##name name;
	NC_VK_LOADER_FUNCTIONS(X)
	NC_VK_INSTANCE_FUNCTIONS(X)
	NC_VK_MESSAGE_FUNCTIONS(X)
	NC_VK_DEVICE_FUNCTIONS(X)
#undef X
} NcVk;

// Call a Vulkan function that returns a VkResult, unless the fault table says that it fails. True
// if it returned VK_SUCCESS; otherwise the result is in `last_error`.
#define NC_VK_TRY(vk, name, ...) \
	(!nc_vk_take_fault(vk, "vk" #name, false) && nc_vk_keep_result(vk, (vk)->name(__VA_ARGS__)))

// result.c

// Count a call or lookup and tell whether it must fail; then `last_error` is set.
bool nc_vk_take_fault(NcVk* vk, const char* name, bool is_lookup);
// Remember what a call returned and tell whether it worked.
bool nc_vk_keep_result(NcVk* vk, VkResult result);
// Remember a failure that Vulkan did not report itself. Returns false.
bool nc_vk_fail(NcVk* vk, VkResult result, const char* reason);
// Translate the last failure for our callers. `error` may be NULL.
NcStatus nc_vk_report(const NcVk* vk, NcError* error);
// Fill `error`, which may be NULL, and return its status.
NcStatus nc_vk_set_error(NcError* error, NcStatus status, int item, const char* reason);

// loader.c

// `path` NULL means the system's loader.
bool nc_vk_load_library(NcVk* vk, const char* path);
bool nc_vk_load_instance_functions(NcVk* vk);
bool nc_vk_load_message_functions(NcVk* vk);
bool nc_vk_load_device_functions(NcVk* vk);
void nc_vk_unload_library(NcVk* vk);

// instance.c

bool nc_vk_instance_create(NcVk* vk, const NcGpuDef* def);
void nc_vk_instance_destroy(NcVk* vk);

// device.c

// How well a device fits: higher is better, 0 means not at all.
int nc_vk_rate_device(
	const NcGpuDef* def, const VkPhysicalDeviceProperties* properties, bool has_compute_queue);
// nc_gpu_open() with a fault table, which may be NULL.
NcStatus nc_vk_open(const NcGpuDef* def, NcVkFaults* faults, NcGpu** gpu, NcError* error);

// commands.c

bool nc_vk_commands_create(NcVk* vk);
void nc_vk_commands_destroy(NcVk* vk);
// Start recording. What an earlier recording left is dropped.
bool nc_vk_begin(NcVk* vk);
// Make everything that was written in the first stage visible to what comes in the second.
void nc_vk_barrier(const NcVk* vk, VkPipelineStageFlags from, VkAccessFlags written,
	VkPipelineStageFlags to, VkAccessFlags used);
// Run what was recorded and wait for it. When this returns, the device is idle in any case.
bool nc_vk_submit_and_wait(NcVk* vk);

// buffer.c

typedef enum NcVkBufferUse
{
	NC_VK_UPLOAD,   // the host writes, the shader reads
	NC_VK_READBACK, // the shader or a copy writes, the host reads
	NC_VK_DEVICE,   // only shaders and copies see it; not mapped
} NcVkBufferUse;

// A storage buffer that stays mapped, unless only the device sees it.
typedef struct NcVkBuffer
{
	VkBuffer buffer;
	VkDeviceMemory memory;
	VkDeviceSize size;
	void* data;
} NcVkBuffer;

bool nc_vk_buffer_create(NcVk* vk, VkDeviceSize size, NcVkBufferUse use, NcVkBuffer* buffer);
void nc_vk_buffer_destroy(const NcVk* vk, NcVkBuffer* buffer);
// Make sure that a buffer has at least this size; what it held is lost if it grows. The device must
// be idle.
bool nc_vk_buffer_reserve(NcVk* vk, VkDeviceSize size, NcVkBufferUse use, NcVkBuffer* buffer);
// Find memory for an image or a buffer that only the device sees.
bool nc_vk_find_device_memory(NcVk* vk, uint32_t allowed, uint32_t* type);
// Record a copy of the first `size` bytes.
void nc_vk_copy(const NcVk* vk, const NcVkBuffer* from, const NcVkBuffer* to, VkDeviceSize size);

// pipeline.c

// As many storage buffers as every Vulkan device offers to a shader.
#define NC_VK_MAX_BUFFERS 4

typedef struct NcVkPipelineDef
{
	// SPIR-V with an entry point "main", and its size in bytes: of a compute shader, or of the
	// vertex shader of a pipeline that draws.
	const uint32_t* code;
	size_t code_size;
	// Only of a pipeline that draws: the fragment shader, and where it draws to.
	const uint32_t* fragment_code;
	size_t fragment_code_size;
	VkRenderPass render_pass;
	int buffer_count;  // storage buffers at bindings 0, 1, ...
	int constant_size; // of the push constants, in bytes
} NcVkPipelineDef;

// Shaders and the one set of bindings that their jobs use in turn.
typedef struct NcVkPipeline
{
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkDescriptorPool pool;
	VkDescriptorSet set;
	VkShaderStageFlags stages;
	int buffer_count;
	int constant_size;
} NcVkPipeline;

// Does nothing if the pipeline exists. A failure leaves it null, and the next call tries again.
bool nc_vk_pipeline_create(NcVk* vk, const NcVkPipelineDef* def, NcVkPipeline* pipeline);
void nc_vk_pipeline_destroy(const NcVk* vk, NcVkPipeline* pipeline);
// Connect as many buffers as the pipeline has bindings. The device must be idle.
void nc_vk_pipeline_bind(const NcVk* vk, const NcVkPipeline* pipeline, const NcVkBuffer* buffers);
// Record a run of the shader.
void nc_vk_dispatch(const NcVk* vk, const NcVkPipeline* pipeline, const void* constants,
	uint32_t group_count_x, uint32_t group_count_y);

// Record the drawing of `instance_count` quads.
void nc_vk_draw_quads(
	const NcVk* vk, const NcVkPipeline* pipeline, const void* constants, uint32_t instance_count);

// mesh_raster.c

// Where distance meshes are drawn to: the labels and the squared distances of a chunk.
typedef struct NcMeshRaster
{
	VkImage images[2]; // colour: labels; depth: scaled squared distances
	VkDeviceMemory memories[2];
	VkImageView views[2];
	VkRenderPass render_pass;
	VkFramebuffer framebuffer;
	NcVkPipeline pipeline;
	NcVkPipeline gather;  // brings labels and distances together
	NcVkBuffer copies[2]; // of the images
} NcMeshRaster;

// Does nothing if it exists. A failure leaves it null.
bool nc_mesh_raster_create(NcVk* vk, NcMeshRaster* raster);
void nc_mesh_raster_destroy(const NcVk* vk, NcMeshRaster* raster);
// Record: no site is near any pixel.
void nc_mesh_raster_clear(const NcVk* vk, const NcMeshRaster* raster);
// Record: draw the candidates of some tiles. `constants` is an NcMeshParams.
void nc_mesh_raster_draw(
	const NcVk* vk, const NcMeshRaster* raster, const void* constants, uint32_t candidate_count);
// Record: write all pixels to the buffer that is bound to the gathering shader.
void nc_mesh_raster_gather(const NcVk* vk, const NcMeshRaster* raster, float depth_scale);

// What the public handle points to.
struct NcGpu
{
	NcVk vk;
	// The pipelines of the jobs, each created by the first job that needs it.
	NcVkPipeline clearance;
	NcVkPipeline cull;
	NcVkPipeline mesh;
	NcVkPipeline wind;
	NcVkPipeline inside;
	NcVkPipeline extract;
	NcVkPipeline rows;
	NcVkPipeline project;
	NcMeshRaster raster;
};
