// SPDX-License-Identifier: MIT

// Random numbers: a counter whose bits are mixed.
//
// This work is based on:
// Steele, Lea, Flood. Fast Splittable Pseudorandom Number Generators. 2014

#include "random.h"

Random random_begin(uint64_t seed)
{
	return (Random){seed};
}

uint64_t random_get_bits(Random* random)
{
	uint64_t z = random->state += 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

double random_get_double(Random* random, double lower, double upper)
{
	// 53 bits are what a double holds.
	double fraction = (double)(random_get_bits(random) >> 11) * 0x1p-53;
	return lower + fraction * (upper - lower);
}

int random_get_int(Random* random, int count)
{
	return (int)(random_get_bits(random) % (uint64_t)count);
}
