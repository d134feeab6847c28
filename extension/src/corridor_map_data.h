// SPDX-License-Identifier: MIT
#pragma once

#include "gd.h"
#include "points.h"

/// A baked map, as scenes and files keep it.
typedef struct CorridorMapData
{
	GdInstance base;
	GdPackedByteArray data;  ///< as nc_map_save() wrote it; empty: nothing was baked
	Points border;           ///< of the region it was baked for, in the plane of the map
	int64_t source_checksum; ///< of the geometry it was baked from
	uint32_t revision;       ///< grows with every change
} CorridorMapData;

void corridor_map_data_register(void);

/// @return NULL if the object is none; NULL is allowed
CorridorMapData* corridor_map_data_get(GDExtensionObjectPtr object);

/// @return a new one without any reference
CorridorMapData* corridor_map_data_create(void);

bool corridor_map_data_is_empty(const CorridorMapData* self);

/// Replace everything in it.
void corridor_map_data_fill(CorridorMapData* self, const void* bytes, size_t size,
	const Points* border, uint64_t source_checksum);
