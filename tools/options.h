// SPDX-License-Identifier: MIT
#pragma once

#include "nav_corridor/math2d.h"

#include <stdint.h>
#include <stdio.h>

/// The options of all commands, as bits: which a command knows, needs, or was given.
typedef enum OptionBit
{
	OPTION_BOUNDS = 1 << 0,
	OPTION_SNAP = 1 << 1,
	OPTION_THREADS = 1 << 2,
	OPTION_BACKEND = 1 << 3,
	OPTION_WALKABLE = 1 << 4,
	OPTION_OUTPUT = 1 << 5,
	OPTION_FROM = 1 << 6,
	OPTION_TO = 1 << 7,
	OPTION_RADIUS = 1 << 8,
	OPTION_ROUTE = 1 << 9,
	OPTION_SVG = 1 << 10,
	OPTION_EDITS = 1 << 11,
	OPTION_SEED = 1 << 12,
	OPTION_FIELD = 1 << 13,
	OPTION_PIXELS = 1 << 14,
	OPTION_HEIGHTS = 1 << 15,
	OPTION_CELL = 1 << 16,
	OPTION_SCENARIO = 1 << 17, ///< not named: the second file
	OPTION_TERRAIN = 1 << 20,
	OPTION_PROFILE = 1 << 21,
	OPTION_METHOD = 1 << 22,
	OPTION_ROUTE_FILE = 1 << 23,
	OPTION_SIGMA = 1 << 24,
	OPTION_D = 1 << 25,
	OPTION_DT = 1 << 26,
	OPTION_SPEED = 1 << 27,
	OPTION_COMPARE = 1 << 28,
	OPTION_CONTROL = 1 << 29,

	/// What every command that builds a map knows.
	OPTION_MAP_BITS = OPTION_BOUNDS | OPTION_SNAP | OPTION_THREADS | OPTION_BACKEND |
					  OPTION_WALKABLE | OPTION_HEIGHTS | OPTION_CELL,
} OptionBit;

typedef enum Backend
{
	BACKEND_CPU,
	BACKEND_VULKAN,
} Backend;

typedef enum RouteChoice
{
	ROUTE_SHORTEST,
	ROUTE_MEDIAL,
	ROUTE_WEIGHTED,
	ROUTE_LEFT,
	ROUTE_RIGHT,
	ROUTE_CENTRE,
	ROUTE_CONTROL, ///< after a drawing: see control_file
} RouteChoice;

typedef enum FieldChoice
{
	FIELD_CLEARANCE,
	FIELD_LABELS,
} FieldChoice;

typedef enum MethodChoice
{
	METHOD_CMM,
	METHOD_IMPROVED,
	METHOD_IRM,
	METHOD_MIRAN,
	METHOD_PD,
	METHOD_COUNT,
} MethodChoice;

/// What the user asked for. Strings belong to the program's arguments. A field whose bit is not in
/// `given` has its default.
typedef struct Options
{
	uint32_t given;
	bool is_help;
	const char* input;
	const char* scenario;

	NcBox bounds;
	double snap; ///< 0: the library's default
	int thread_count;
	Backend backend;
	const char* output;

	NcVec2 from, to;
	double radius;
	RouteChoice route;
	const char* svg;

	FieldChoice field;
	int pixel_count; ///< of the larger side of a picture; default 1024

	double heights[2]; ///< of what blocks in 3D levels; 0, 0: the reader chooses
	double cell_size;  ///< of their projection; 0: likewise

	const char* terrain; ///< the file; NULL: ground only
	const char* profile; ///< weights of types, as "name=weight,..."; NULL: 1 for all

	MethodChoice method;
	const char* control_file; ///< a drawing as a LINESTRING; NULL: none
	const char* route_file;   ///< a route as a LINESTRING; NULL: search one
	double sigma, d;          ///< of MIRAN
	double dt;                ///< in seconds; default 0.05
	double speed;             ///< the top speed, in world units a second; default 1.4

	int edit_count;
	uint64_t seed; ///< of random numbers; default 1
} Options;

/// What a command accepts.
typedef struct OptionRules
{
	uint32_t known;
	uint32_t needed;
} OptionRules;

/// Read the arguments that follow the name of the command. Complain on stderr, naming the option.
/// @return false if they cannot be used
bool options_parse(int count, char** arguments, OptionRules rules, Options* options);

/// Print a line of help for each option in `bits`.
void options_print_help(uint32_t bits, FILE* file);
