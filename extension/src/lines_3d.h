// SPDX-License-Identifier: MIT
#pragma once

// Colored lines and areas in a 3D world, drawn by the rendering server without a node.

#include "gd.h"

/// A growing array of vectors. All zero is empty; what does not fit into memory is left out.
typedef struct Vectors
{
	GdVector3* data;
	int count;
	int capacity;
} Vectors;

void vectors_push(Vectors* vectors, GdVector3 vector);
void vectors_free(Vectors* vectors);

/// All zero shows nothing.
typedef struct Lines3D
{
	GdRid mesh;
	GdRid instance;
	GDExtensionObjectPtr material; ///< counted
} Lines3D;

/// @return a material for lines that have their own colors, with a reference for gd_release()
GDExtensionObjectPtr lines_3d_create_material(void);

/// Show nothing, in the world of a node.
void lines_3d_begin(Lines3D* lines, GDExtensionObjectPtr node);

/// Show pairs of points in world coordinates, too.
void lines_3d_add(Lines3D* lines, const Vectors* points, GdColor color);

/// Show triangles, too, each three points in world coordinates. They are seen from both sides.
void lines_3d_fill(Lines3D* lines, const Vectors* points, GdColor color);

void lines_3d_free(Lines3D* lines);
