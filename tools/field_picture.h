// SPDX-License-Identifier: MIT
#pragma once

#include "world.h"

/// Draw the clearance or the nearest walls of every pixel of a world as PNG, by Vulkan if the
/// options ask for it and there is a device. Complain on stderr if that is not possible.
bool field_picture_write(const Options* options, const World* world);
