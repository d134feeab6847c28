// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

/// Random numbers that depend on their seed alone: the same on every machine.
typedef struct Random
{
	uint64_t state;
} Random;

Random random_begin(uint64_t seed);

/// @return all 64 bits at random
uint64_t random_get_bits(Random* random);

/// @return a number from `lower` up to, not including, `upper`
double random_get_double(Random* random, double lower, double upper);

/// @return a number from 0 up to, not including, `count`, which is at least one
int random_get_int(Random* random, int count);
