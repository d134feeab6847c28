// SPDX-License-Identifier: MIT

// The Vulkan instance, and the messages of the validation layer.
//
// With validation the messenger is also chained to the instance itself: only so are mistakes
// reported that happen while the instance is created and destroyed, forgotten objects among them.

#include "vk.h"

#define NC_COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static const char* const validation_layers[] = {"VK_LAYER_KHRONOS_validation"};

static const char* const validation_extensions[] = {
	VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
	VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME,
};

static const VkValidationFeatureEnableEXT validation_features[] = {
	VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
};

static VKAPI_ATTR VkBool32 VKAPI_CALL receive_message(
	VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
	const VkDebugUtilsMessengerCallbackDataEXT* data, void* context)
{
	(void)severity, (void)types;
	const NcVk* vk = context;
	if (vk->message != NULL)
	{
		vk->message(vk->message_context, data->pMessage);
	}

	// True would make the call fail that the message is about.
	return VK_FALSE;
}

// Not the messages of type "general": the loader's complaints about drivers that do not fit the
// machine are among them, and normal.
static VkDebugUtilsMessengerCreateInfoEXT describe_messenger(NcVk* vk)
{
	return (VkDebugUtilsMessengerCreateInfoEXT){
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
						   VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
					   VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
		.pfnUserCallback = receive_message,
		.pUserData = vk,
	};
}

static bool create_instance(NcVk* vk, NcGpuValidation validation)
{
	VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.pEngineName = "NavCorridor",
		.apiVersion = VK_API_VERSION_1_1,
	};
	VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &application,
	};

	VkDebugUtilsMessengerCreateInfoEXT messenger = describe_messenger(vk);
	VkValidationFeaturesEXT features = {
		.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
		.enabledValidationFeatureCount = NC_COUNT_OF(validation_features),
		.pEnabledValidationFeatures = validation_features,
	};
	if (validation != NC_GPU_VALIDATION_OFF)
	{
		info.pNext = &messenger;
		info.enabledLayerCount = NC_COUNT_OF(validation_layers);
		info.ppEnabledLayerNames = validation_layers;
		info.enabledExtensionCount = NC_COUNT_OF(validation_extensions);
		info.ppEnabledExtensionNames = validation_extensions;
	}
	if (validation == NC_GPU_VALIDATION_SYNC)
	{
		messenger.pNext = &features;
	}
	return NC_VK_TRY(vk, CreateInstance, &info, NULL, &vk->instance);
}

static bool create_messenger(NcVk* vk)
{
	VkDebugUtilsMessengerCreateInfoEXT info = describe_messenger(vk);
	return nc_vk_load_message_functions(vk) &&
		   NC_VK_TRY(vk, CreateDebugUtilsMessengerEXT, vk->instance, &info, NULL, &vk->messenger);
}

bool nc_vk_instance_create(NcVk* vk, const NcGpuDef* def)
{
	vk->message = def->message;
	vk->message_context = def->message_context;
	if (create_instance(vk, def->validation) && nc_vk_load_instance_functions(vk) &&
		(def->validation == NC_GPU_VALIDATION_OFF || create_messenger(vk)))
	{
		return true;
	}

	nc_vk_instance_destroy(vk);
	return false;
}

void nc_vk_instance_destroy(NcVk* vk)
{
	if (vk->messenger != VK_NULL_HANDLE)
	{
		vk->DestroyDebugUtilsMessengerEXT(vk->instance, vk->messenger, NULL);
	}
	if (vk->instance != VK_NULL_HANDLE)
	{
		vk->DestroyInstance(vk->instance, NULL);
	}
	vk->messenger = VK_NULL_HANDLE;
	vk->instance = VK_NULL_HANDLE;
}
