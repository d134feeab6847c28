// SPDX-License-Identifier: MIT
// Table 1 of the 2008 paper: characters that stand in the way of the original and of the improved
// corridor map method. Shared by tests and benches.
#pragma once

#include "walk.h"

#define CHARACTERS_QUERY_COUNT 30
#define CHARACTERS_MAX 128

typedef enum CharactersRow
{
	CHARACTERS_ORIGINAL,
	CHARACTERS_IMPROVED,
	CHARACTERS_PUBLISHED, ///< improved, with nothing but the forces of the paper
	CHARACTERS_ROW_COUNT,
} CharactersRow;

/// Means over the queries.
typedef struct CharactersSum
{
	double length, curvature;
	int arrived;
} CharactersSum;

/// Put characters of radius 1 in the middle of the passages of mckenna and let an agent of radius
/// 0.75 walk along the medial axis, between random places at least 100 units apart.
void characters_run(
	NcQuery* query, int character_count, uint64_t seed, CharactersSum sums[CHARACTERS_ROW_COUNT]);
