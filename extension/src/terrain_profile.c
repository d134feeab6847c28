// SPDX-License-Identifier: MIT

// class TerrainProfile: Resource, what a character makes of each type of terrain.
//
// Scripts and the Inspector see a Dictionary from type to weight. A weight of zero there means that
// the type is blocked, because infinity cannot be typed into the Inspector. Types that are not in
// it have the weight 1.

#include "terrain_profile.h"

#include <math.h>

typedef struct TerrainProfile
{
	GdInstance base;
	NcTerrainProfile profile;
	bool is_listed[NC_TERRAIN_TYPE_COUNT]; ///< the type is in the Dictionary
} TerrainProfile;

// ---- Weights -----------------------------------------------------------------------------------

static bool check_type(const char* method, int64_t type)
{
	if (0 <= type && type < NC_TERRAIN_TYPE_COUNT)
	{
		return true;
	}
	GD_ERROR("TerrainProfile.%s: a terrain type is a number from 0 to %d, not %lld.", method,
		NC_TERRAIN_TYPE_COUNT - 1, (long long)type);
	return false;
}

static bool check_weight(const char* method, int64_t type, double weight)
{
	if (weight >= 0.0)
	{
		return true;
	}
	GD_ERROR("TerrainProfile.%s: the weight of type %lld must be above 0, or 0 for terrain that "
			 "nobody may enter, not %g.",
		method, (long long)type, weight);
	return false;
}

static void list_weight(TerrainProfile* self, int64_t type, double weight)
{
	self->profile.weights[type] = weight > 0.0 ? weight : NC_TERRAIN_BLOCKED;
	self->is_listed[type] = true;
}

// A number of the Dictionary. Godot writes whole ones as integers.
static bool read_number(const GdVariant* variant, double* number)
{
	GDExtensionVariantType type = gd_variant_type(variant);
	if (type != GDEXTENSION_VARIANT_TYPE_INT && type != GDEXTENSION_VARIANT_TYPE_FLOAT)
	{
		return false;
	}
	gd_variant_read(variant, GD_FLOAT, number);
	return true;
}

// Add one entry of the Dictionary.
// @return false, with an error message, if it cannot be used
static bool read_entry(
	TerrainProfile* profile, const GdDictionary* dictionary, const GdVariant* key)
{
	double type, weight;
	if (!read_number(key, &type) || !read_number(gd_dictionary_get(dictionary, key), &weight))
	{
		GD_ERROR(
			"TerrainProfile.weights: every key is the number of a terrain type and every value "
			"its weight, for example {1: 2.5}.");
		return false;
	}
	if (type != floor(type) || fabs(type) > 1.0e9)
	{
		GD_ERROR("TerrainProfile.weights: a terrain type is a whole number, not %g.", type);
		return false;
	}
	if (!check_type("weights", (int64_t)type) || !check_weight("weights", (int64_t)type, weight))
	{
		return false;
	}
	list_weight(profile, (int64_t)type, weight);
	return true;
}

static void set_weights(GdCall* call)
{
	TerrainProfile* self = call->self;
	TerrainProfile changed = {.profile = nc_default_terrain_profile()};
	const GdDictionary* dictionary = call->args[0];
	GdArray keys = gd_dictionary_keys(dictionary);
	bool is_usable = true;
	for (int i = 0; i < (int)gd_array_size(&keys) && is_usable; ++i)
	{
		is_usable = read_entry(&changed, dictionary, gd_array_item(&keys, i));
	}
	gd_destroy(GD_ARRAY, &keys);
	if (is_usable)
	{
		changed.base = self->base;
		*self = changed;
		gd_resource_emit_changed(self->base.object);
	}
}

static double get_listed_weight(const TerrainProfile* self, int type)
{
	double weight = self->profile.weights[type];
	return isinf(weight) ? 0.0 : weight;
}

static void get_weights(GdCall* call)
{
	const TerrainProfile* self = call->self;
	for (int64_t type = 0; type < NC_TERRAIN_TYPE_COUNT; ++type)
	{
		if (self->is_listed[type])
		{
			double weight = get_listed_weight(self, (int)type);
			gd_dictionary_set_key(
				call->result, gd_variant(GD_INT, &type), gd_variant(GD_FLOAT, &weight));
		}
	}
}

// ---- Methods -----------------------------------------------------------------------------------

// set_weight(type, weight)
static void set_weight(GdCall* call)
{
	TerrainProfile* self = call->self;
	int64_t type = gd_arg_int(call, 0);
	double weight = gd_arg_float(call, 1);
	if (check_type("set_weight()", type) && check_weight("set_weight()", type, weight))
	{
		list_weight(self, type, weight);
		gd_resource_emit_changed(self->base.object);
	}
}

// get_weight(type) -> float
static void get_weight(GdCall* call)
{
	const TerrainProfile* self = call->self;
	int64_t type = gd_arg_int(call, 0);
	if (check_type("get_weight()", type))
	{
		gd_return_float(call, get_listed_weight(self, (int)type));
	}
}

// is_blocked(type) -> bool
static void is_blocked(GdCall* call)
{
	const TerrainProfile* self = call->self;
	int64_t type = gd_arg_int(call, 0);
	gd_return_bool(call, check_type("is_blocked()", type) && isinf(self->profile.weights[type]));
}

// ---- The class ---------------------------------------------------------------------------------

static void create(void* instance)
{
	((TerrainProfile*)instance)->profile = nc_default_terrain_profile();
}

static const GdMethod methods[] = {
	{"set_weight", set_weight, GD_NIL, {{"type", GD_INT}, {"weight", GD_FLOAT}}},
	{"get_weight", get_weight, GD_FLOAT, {{"type", GD_INT}}, true},
	{"is_blocked", is_blocked, GD_BOOL, {{"type", GD_INT}}, true},
};

static const GdProperty properties[] = {
	{.name = "weights",
		.type = GD_DICTIONARY,
		.get = get_weights,
		.set = set_weights,
		.hint = GD_HINT_DICTIONARY_TYPE,
		.hint_string = "2/1:0,63,1;3/1:0,100,0.01,or_greater"},
};

static const GdClass class = {
	.name = "TerrainProfile",
	.parent = "Resource",
	.size = sizeof(TerrainProfile),
	.create = create,
	.methods = methods,
	.method_count = GD_COUNT(methods),
	.properties = properties,
	.property_count = GD_COUNT(properties),
};

void terrain_profile_register(void)
{
	gd_register_class(&class);
}

bool terrain_profile_read(GDExtensionObjectPtr object, NcTerrainProfile* profile)
{
	const TerrainProfile* self = gd_get_instance(object, &class);
	if (self != NULL)
	{
		*profile = self->profile;
	}
	return self != NULL;
}
