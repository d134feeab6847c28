// SPDX-License-Identifier: MIT
#pragma once

// Godot's built-in types as C structs, for an engine with single precision on a 64-bit machine.

#include "gdextension_interface.h"
#include "nav_corridor/math2d.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct GdVector2
{
	float x, y;
} GdVector2;

typedef struct GdVector3
{
	float x, y, z;
} GdVector3;

typedef struct GdRect2
{
	GdVector2 position, size;
} GdRect2;

typedef struct GdTransform2D
{
	GdVector2 x, y, origin; ///< columns
} GdTransform2D;

typedef struct GdVector2i
{
	int32_t x, y;
} GdVector2i;

typedef struct GdVector3i
{
	int32_t x, y, z;
} GdVector3i;

typedef struct GdAabb
{
	GdVector3 position, size;
} GdAabb;

typedef struct GdBasis
{
	GdVector3 rows[3];
} GdBasis;

typedef struct GdPlane
{
	GdVector3 normal;
	float d; ///< the distance from the origin
} GdPlane;

typedef struct GdTransform3D
{
	GdVector3 rows[3]; ///< of the basis
	GdVector3 origin;
} GdTransform3D;

typedef struct GdColor
{
	float r, g, b, a;
} GdColor;

/// A resource id. Zero names nothing.
typedef uint64_t GdRid;

// The engine owns the insides of these. All zero is an empty value for strings and packed arrays;
// the others must be constructed.
// clang-format off
typedef struct GdString { uint64_t opaque[1]; } GdString;
typedef struct GdStringName { uint64_t opaque[1]; } GdStringName;
typedef struct GdNodePath { uint64_t opaque[1]; } GdNodePath;
typedef struct GdArray { uint64_t opaque[1]; } GdArray;
typedef struct GdDictionary { uint64_t opaque[1]; } GdDictionary;
typedef struct GdCallable { uint64_t opaque[2]; } GdCallable;
typedef struct GdPackedByteArray { uint64_t opaque[2]; } GdPackedByteArray;
typedef struct GdPackedInt32Array { uint64_t opaque[2]; } GdPackedInt32Array;
typedef struct GdPackedFloat32Array { uint64_t opaque[2]; } GdPackedFloat32Array;
typedef struct GdPackedStringArray { uint64_t opaque[2]; } GdPackedStringArray;
typedef struct GdPackedVector2Array { uint64_t opaque[2]; } GdPackedVector2Array;
typedef struct GdPackedVector3Array { uint64_t opaque[2]; } GdPackedVector3Array;
typedef struct GdPackedColorArray { uint64_t opaque[2]; } GdPackedColorArray;
typedef struct GdVariant { uint64_t opaque[3]; } GdVariant;
// clang-format on

/// The types that methods and properties of our classes use.
typedef enum GdType
{
	GD_NIL = GDEXTENSION_VARIANT_TYPE_NIL, ///< as a result: nothing is returned
	GD_BOOL = GDEXTENSION_VARIANT_TYPE_BOOL,
	GD_INT = GDEXTENSION_VARIANT_TYPE_INT,
	GD_FLOAT = GDEXTENSION_VARIANT_TYPE_FLOAT,
	GD_STRING = GDEXTENSION_VARIANT_TYPE_STRING,
	GD_VECTOR2 = GDEXTENSION_VARIANT_TYPE_VECTOR2,
	GD_VECTOR2I = GDEXTENSION_VARIANT_TYPE_VECTOR2I,
	GD_RECT2 = GDEXTENSION_VARIANT_TYPE_RECT2,
	GD_VECTOR3 = GDEXTENSION_VARIANT_TYPE_VECTOR3,
	GD_VECTOR3I = GDEXTENSION_VARIANT_TYPE_VECTOR3I,
	GD_TRANSFORM3D = GDEXTENSION_VARIANT_TYPE_TRANSFORM3D,
	GD_AABB = GDEXTENSION_VARIANT_TYPE_AABB,
	GD_COLOR = GDEXTENSION_VARIANT_TYPE_COLOR,
	GD_STRING_NAME = GDEXTENSION_VARIANT_TYPE_STRING_NAME,
	GD_NODE_PATH = GDEXTENSION_VARIANT_TYPE_NODE_PATH,
	GD_RID = GDEXTENSION_VARIANT_TYPE_RID,
	GD_OBJECT = GDEXTENSION_VARIANT_TYPE_OBJECT,
	GD_CALLABLE = GDEXTENSION_VARIANT_TYPE_CALLABLE,
	GD_DICTIONARY = GDEXTENSION_VARIANT_TYPE_DICTIONARY,
	GD_ARRAY = GDEXTENSION_VARIANT_TYPE_ARRAY,
	GD_PACKED_BYTE_ARRAY = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY,
	GD_PACKED_INT32_ARRAY = GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY,
	GD_PACKED_FLOAT32_ARRAY = GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY,
	GD_PACKED_STRING_ARRAY = GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY,
	GD_PACKED_VECTOR2_ARRAY = GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY,
	GD_PACKED_VECTOR3_ARRAY = GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY,
	GD_PACKED_COLOR_ARRAY = GDEXTENSION_VARIANT_TYPE_PACKED_COLOR_ARRAY,
	GD_VARIANT = GDEXTENSION_VARIANT_TYPE_VARIANT_MAX, ///< a value of any type
} GdType;

// What the generated functions construct for a result.
#define GD_TYPE_OF_GdArray GD_ARRAY
#define GD_TYPE_OF_GdDictionary GD_DICTIONARY
#define GD_TYPE_OF_GdNodePath GD_NODE_PATH
#define GD_TYPE_OF_GdPackedFloat32Array GD_PACKED_FLOAT32_ARRAY
#define GD_TYPE_OF_GdPackedInt32Array GD_PACKED_INT32_ARRAY
#define GD_TYPE_OF_GdPackedVector2Array GD_PACKED_VECTOR2_ARRAY
#define GD_TYPE_OF_GdPackedVector3Array GD_PACKED_VECTOR3_ARRAY
#define GD_TYPE_OF_GdStringName GD_STRING_NAME
#define GD_TYPE_OF_GdVariant GD_VARIANT

/// Room for a value of any type, in ptrcall encoding.
typedef union GdValue
{
	GDExtensionBool boolean;
	int64_t integer;
	double real;
	GdVector2 vector2;
	GdVector3 vector3;
	GdRect2 rect2;
	GdAabb aabb;
	GdColor color;
	GdRid rid;
	GDExtensionObjectPtr object;
	GdVariant variant;
	uint64_t words[8]; ///< a Projection, the largest of all
} GdValue;

static inline GdVector2 gd_vector2(NcVec2 v)
{
	return (GdVector2){(float)v.x, (float)v.y};
}

static inline NcVec2 gd_vec2(GdVector2 v)
{
	return (NcVec2){(double)v.x, (double)v.y};
}

/// @return the point that the transform moves `p` to
static inline NcVec2 gd_transform(GdTransform2D t, NcVec2 p)
{
	return (NcVec2){(double)t.x.x * p.x + (double)t.y.x * p.y + (double)t.origin.x,
		(double)t.x.y * p.x + (double)t.y.y * p.y + (double)t.origin.y};
}

/// Find the transform that undoes another.
/// @return false if it cannot be undone
static inline bool gd_invert(GdTransform2D t, GdTransform2D* inverse)
{
	NcVec2 x = gd_vec2(t.x);
	NcVec2 y = gd_vec2(t.y);
	double determinant = nc_cross(x, y);
	if (determinant == 0.0)
	{
		return false;
	}
	*inverse = (GdTransform2D){
		gd_vector2(nc_scale(1.0 / determinant, (NcVec2){y.y, -x.y})),
		gd_vector2(nc_scale(1.0 / determinant, (NcVec2){-y.x, x.x})),
		{0.0f, 0.0f},
	};
	NcVec2 origin = gd_transform(*inverse, gd_vec2(t.origin));
	inverse->origin = gd_vector2(nc_scale(-1.0, origin));
	return true;
}
