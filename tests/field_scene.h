// SPDX-License-Identifier: MIT
// Scenes as distance fields see them: the walls of their corridor map as sites, and room for the
// results. What tests, soaks and benches of fields share.
#pragma once

#include "field_chunk.h"
#include "scenes.h"

typedef struct FieldScene
{
	TestScene made;
	NcMap* map;
	NcFieldSite* sites; ///< one per wall of the map, with its number
	NcFieldDef def;     ///< a picture of the whole bounds
} FieldScene;

/// Make a scene by its name, with a picture whose larger side has `size` pixels. Exits if there is
/// no such scene.
FieldScene* field_scene_create(const char* name, int size);
void field_scene_destroy(FieldScene* scene);

/// Take the walls of the map again after it was updated.
void field_scene_take_walls(FieldScene* scene);

/// Room for a field of this size, and its release.
NcField field_create(const NcFieldDef* def);
void field_destroy(NcField* field);

/// The nearest site of a pixel and its clearance, by asking all sites: with the operations of the
/// field, which it must equal in every bit.
uint32_t field_find_nearest(const NcFieldDef* def, int x, int y, float* clearance);

/// The same for all pixels of every `step`-th row. Blocked pixels keep that bit.
/// @return how many pixels of the field differ in their label or clearance
long long field_count_wrong_pixels(const NcFieldDef* def, const NcField* field, int step);

/// The exact distance of a pixel's centre to a site, and to the nearest site, in world units.
double field_compute_distance(const NcFieldDef* def, int site, int x, int y);
double field_compute_exact_clearance(const NcFieldDef* def, int x, int y);
