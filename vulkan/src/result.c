// SPDX-License-Identifier: MIT

// What Vulkan calls return: remembered for the end of the operation, faked where a test asks for
// it, and translated into our own status for the caller.
//
// Every call that can fail passes through NC_VK_TRY. A faked call never reaches the driver, so
// nothing exists that its caller does not know of: exactly as when the driver itself refuses.

#include "vk.h"

// What our callers get to see for a VkResult.
typedef struct ResultText
{
	VkResult result;
	NcStatus status;
	const char* reason;
} ResultText;

static const ResultText result_texts[] = {
	{VK_ERROR_OUT_OF_HOST_MEMORY, NC_OUT_OF_MEMORY, "the Vulkan driver is out of memory"},
	{VK_ERROR_OUT_OF_DEVICE_MEMORY, NC_OUT_OF_MEMORY, "the Vulkan device is out of memory"},
	{VK_ERROR_TOO_MANY_OBJECTS, NC_OUT_OF_MEMORY, "the Vulkan device has too many objects"},
	{VK_ERROR_DEVICE_LOST, NC_NO_DEVICE, "the Vulkan device was lost"},
	{VK_ERROR_INITIALIZATION_FAILED, NC_NO_DEVICE, "Vulkan could not be initialized"},
	{VK_ERROR_INCOMPATIBLE_DRIVER, NC_NO_DEVICE, "no Vulkan driver works on this machine"},
	{VK_ERROR_LAYER_NOT_PRESENT, NC_NO_DEVICE, "the Vulkan validation layer is not installed"},
	{VK_ERROR_EXTENSION_NOT_PRESENT, NC_NO_DEVICE, "a Vulkan extension is not installed"},
	{VK_ERROR_FEATURE_NOT_PRESENT, NC_NO_DEVICE, "the Vulkan device lacks a feature"},
};

bool nc_vk_take_fault(NcVk* vk, const char* name, bool is_lookup)
{
	NcVkFaults* faults = vk->faults;
	if (faults == NULL)
	{
		return false;
	}

	int call = ++faults->call_count;
	if (faults->first_failing == 0 || call < faults->first_failing ||
		call - faults->first_failing >= faults->failing_count)
	{
		return false;
	}

	if (faults->failed == NULL)
	{
		faults->failed = name;
		faults->is_lookup = is_lookup;
	}
	nc_vk_keep_result(vk, faults->result);
	return true;
}

bool nc_vk_keep_result(NcVk* vk, VkResult result)
{
	vk->last_error = result;
	vk->reason = NULL;
	vk->is_lost = vk->is_lost || result == VK_ERROR_DEVICE_LOST;
	return result == VK_SUCCESS;
}

bool nc_vk_fail(NcVk* vk, VkResult result, const char* reason)
{
	vk->last_error = result;
	vk->reason = reason;
	return false;
}

NcStatus nc_vk_report(const NcVk* vk, NcError* error)
{
	NcStatus status = NC_NO_DEVICE;
	const char* reason = "a Vulkan call failed";
	for (size_t i = 0; i < sizeof(result_texts) / sizeof(result_texts[0]); ++i)
	{
		if (result_texts[i].result == vk->last_error)
		{
			status = result_texts[i].status;
			reason = result_texts[i].reason;
		}
	}
	return nc_vk_set_error(error, status, NC_NULL_INDEX, vk->reason != NULL ? vk->reason : reason);
}

NcStatus nc_vk_set_error(NcError* error, NcStatus status, int item, const char* reason)
{
	if (error != NULL)
	{
		*error = (NcError){.status = status, .item = item, .reason = reason};
	}
	return status;
}
