// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Write a picture of 8-bit red, green and blue, row by row from the top, as PNG. Complain on
/// stderr if the file cannot be written.
bool png_write(const char* file_name, const uint8_t* pixels, int width, int height);
