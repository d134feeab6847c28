// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// Growing arrays of the command line. A program that serves one command has nothing to save when
// memory runs out: it says so and ends with exit code 2.

/// Make room for one more item behind `count` items of `item_size` bytes. The room at least
/// doubles.
/// @param items the array, or NULL if `*capacity` is zero
/// @return the array, possibly moved; never NULL
void* memory_grow(void* items, int count, int* capacity, size_t item_size);

/// @return room for `count` items, zeroed; never NULL, not even for zero items
void* memory_allocate(int count, size_t item_size);
