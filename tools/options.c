// SPDX-License-Identifier: MIT

// The options of the command line: one table of all, with how to read the value of each. Commands
// say which of them they know and need. Both "--name value" and "--name=value" are understood.

#include "options.h"

#include "parallel.h"
#include "text.h"

#include <string.h>

#define MAX_VALUE_LENGTH 256

#define MAX_EDITS 100000000

// Such a picture takes 4 GiB while it is made.
#define MAX_PIXELS 16384

// Every whole number up to this one is a double.
#define MAX_SEED 0x1p53

typedef struct OptionValue
{
	const char* name; // of the option, for complaints
	const char* text;
} OptionValue;

// Reads a value. Complains on stderr if it cannot be used.
typedef bool OptionReadFn(OptionValue value, Options* options);

typedef struct OptionType
{
	uint32_t bit;
	const char* name;
	const char* placeholder; // of its value; NULL if it has none
	const char* help;
	OptionReadFn* read; // NULL if it has no value
} OptionType;

static bool fail(OptionValue value, const char* reason)
{
	fprintf(stderr, "navcorridor: %s %s: %s\n", value.name, value.text, reason);
	return false;
}

// Read `count` numbers with commas in between.
static bool read_numbers(OptionValue value, int count, double* numbers)
{
	char copy[MAX_VALUE_LENGTH];
	if (strlen(value.text) >= sizeof(copy))
	{
		return fail(value, "the value is too long");
	}
	strcpy(copy, value.text);

	char* item = copy;
	for (int i = 0; i < count; ++i)
	{
		char* comma = item != NULL ? strchr(item, ',') : NULL;
		if (item == NULL || (i + 1 == count && comma != NULL))
		{
			char reason[TEXT_REASON_CAPACITY];
			snprintf(reason, sizeof(reason), "expected %d numbers with commas in between", count);
			return fail(value, count > 1 ? reason : "expected one number");
		}
		if (comma != NULL)
		{
			*comma = '\0';
		}
		char reason[TEXT_REASON_CAPACITY];
		if (!text_parse_number(item, &numbers[i], reason))
		{
			return fail(value, reason);
		}
		item = comma != NULL ? comma + 1 : NULL;
	}
	return true;
}

static bool read_point(OptionValue value, NcVec2* point)
{
	double numbers[2];
	if (!read_numbers(value, 2, numbers))
	{
		return false;
	}
	*point = (NcVec2){numbers[0], numbers[1]};
	return true;
}

// Find a word in a list of `count` words.
static bool read_word(OptionValue value, const char* const* words, int count, int* index)
{
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(value.text, words[i]) == 0)
		{
			*index = i;
			return true;
		}
	}
	return fail(value, "unknown value; see --help");
}

static bool read_bounds(OptionValue value, Options* options)
{
	double n[4];
	if (!read_numbers(value, 4, n))
	{
		return false;
	}
	if (!(n[0] < n[2] && n[1] < n[3]))
	{
		return fail(value, "expected x0,y0,x1,y1 with x0 < x1 and y0 < y1");
	}
	options->bounds = (NcBox){{n[0], n[1]}, {n[2], n[3]}};
	return true;
}

static bool read_snap(OptionValue value, Options* options)
{
	if (!read_numbers(value, 1, &options->snap))
	{
		return false;
	}
	return options->snap > 0.0 || fail(value, "the snap must be above zero");
}

static bool read_whole_number(OptionValue value, double lower, double upper, double* number)
{
	if (!read_numbers(value, 1, number))
	{
		return false;
	}
	if (!(lower <= *number && *number <= upper && *number == floor(*number)))
	{
		char reason[TEXT_REASON_CAPACITY];
		snprintf(reason, sizeof(reason), "expected a whole number from %.0f to %.0f", lower, upper);
		return fail(value, reason);
	}
	return true;
}

static bool read_threads(OptionValue value, Options* options)
{
	double number = 0.0;
	bool is_read = read_whole_number(value, 1.0, PARALLEL_MAX_THREADS, &number);
	options->thread_count = is_read ? (int)number : options->thread_count;
	return is_read;
}

static bool read_edits(OptionValue value, Options* options)
{
	double number = 0.0;
	bool is_read = read_whole_number(value, 1.0, MAX_EDITS, &number);
	options->edit_count = is_read ? (int)number : options->edit_count;
	return is_read;
}

static bool read_seed(OptionValue value, Options* options)
{
	double number = 0.0;
	bool is_read = read_whole_number(value, 0.0, MAX_SEED, &number);
	options->seed = is_read ? (uint64_t)number : options->seed;
	return is_read;
}

static bool read_backend(OptionValue value, Options* options)
{
	static const char* const words[] = {[BACKEND_CPU] = "cpu", [BACKEND_VULKAN] = "vulkan"};
	int index;
	if (!read_word(value, words, 2, &index))
	{
		return false;
	}
	options->backend = (Backend)index;
	return true;
}

static bool read_file_name(OptionValue value, const char** name)
{
	if (value.text[0] == '\0')
	{
		return fail(value, "the file name is empty");
	}
	*name = value.text;
	return true;
}

static bool read_output(OptionValue value, Options* options)
{
	return read_file_name(value, &options->output);
}

static bool read_svg(OptionValue value, Options* options)
{
	return read_file_name(value, &options->svg);
}

static bool read_terrain(OptionValue value, Options* options)
{
	return read_file_name(value, &options->terrain);
}

static bool read_profile(OptionValue value, Options* options)
{
	options->profile = value.text;
	return true;
}

static bool read_from(OptionValue value, Options* options)
{
	return read_point(value, &options->from);
}

static bool read_to(OptionValue value, Options* options)
{
	return read_point(value, &options->to);
}

static bool read_radius(OptionValue value, Options* options)
{
	if (!read_numbers(value, 1, &options->radius))
	{
		return false;
	}
	return options->radius >= 0.0 || fail(value, "the radius must be zero or more");
}

static bool read_route(OptionValue value, Options* options)
{
	static const char* const words[] = {[ROUTE_SHORTEST] = "shortest",
		[ROUTE_MEDIAL] = "medial",
		[ROUTE_WEIGHTED] = "weighted",
		[ROUTE_LEFT] = "left",
		[ROUTE_RIGHT] = "right",
		[ROUTE_CENTRE] = "centre"};
	int index;
	if (!read_word(value, words, 6, &index))
	{
		return false;
	}
	options->route = (RouteChoice)index;
	return true;
}

static bool read_field(OptionValue value, Options* options)
{
	static const char* const words[] = {[FIELD_CLEARANCE] = "clearance", [FIELD_LABELS] = "labels"};
	int index;
	if (!read_word(value, words, 2, &index))
	{
		return false;
	}
	options->field = (FieldChoice)index;
	return true;
}

static bool read_pixels(OptionValue value, Options* options)
{
	double number = 0.0;
	bool is_read = read_whole_number(value, 1.0, MAX_PIXELS, &number);
	options->pixel_count = is_read ? (int)number : options->pixel_count;
	return is_read;
}

static bool read_heights(OptionValue value, Options* options)
{
	return read_numbers(value, 2, options->heights) &&
		   (options->heights[0] < options->heights[1] ||
			   fail(value, "expected two heights, the lower one first"));
}

static bool read_cell(OptionValue value, Options* options)
{
	return read_numbers(value, 1, &options->cell_size) &&
		   (options->cell_size > 0.0 || fail(value, "the cell size must be above zero"));
}

static bool read_method(OptionValue value, Options* options)
{
	static const char* const words[] = {[METHOD_CMM] = "cmm",
		[METHOD_IMPROVED] = "improved",
		[METHOD_IRM] = "irm",
		[METHOD_MIRAN] = "miran",
		[METHOD_PD] = "pd"};
	int index;
	if (!read_word(value, words, METHOD_COUNT, &index))
	{
		return false;
	}
	options->method = (MethodChoice)index;
	return true;
}

static bool read_control_file(OptionValue value, Options* options)
{
	options->route = ROUTE_CONTROL;
	return read_file_name(value, &options->control_file);
}

static bool read_route_file(OptionValue value, Options* options)
{
	return read_file_name(value, &options->route_file);
}

static bool read_positive(OptionValue value, double* number)
{
	return read_numbers(value, 1, number) &&
		   (*number > 0.0 || fail(value, "the value must be above zero"));
}

static bool read_sigma(OptionValue value, Options* options)
{
	return read_positive(value, &options->sigma);
}

static bool read_d(OptionValue value, Options* options)
{
	return read_positive(value, &options->d);
}

static bool read_dt(OptionValue value, Options* options)
{
	return read_positive(value, &options->dt) &&
		   (options->dt <= 1.0 || fail(value, "the time step must be at most one second"));
}

static bool read_speed(OptionValue value, Options* options)
{
	return read_positive(value, &options->speed);
}

static const OptionType types[] = {
	{OPTION_OUTPUT, "-o", "FILE", "where the result goes", read_output},
	{OPTION_FROM, "--from", "x,y", "where the path begins", read_from},
	{OPTION_TO, "--to", "x,y", "where the path ends", read_to},
	{OPTION_RADIUS, "--radius", "r", "of the disc that walks, in world units", read_radius},
	{OPTION_ROUTE, "--route", "KIND", "shortest (default), medial, left, right, centre or weighted",
		read_route},
	{OPTION_CONTROL, "--control", "FILE",
		"draw the route after the first LINESTRING of a .wkt file, instead of --route",
		read_control_file},
	{OPTION_METHOD, "--method", "NAME", "cmm, improved, irm, pd or miran (default)", read_method},
	{OPTION_ROUTE_FILE, "--route", "FILE",
		"follow the first LINESTRING of a .wkt file instead of searching a route", read_route_file},
	{OPTION_SIGMA, "--sigma", "S", "MIRAN's shortcut parameter; default 40", read_sigma},
	{OPTION_D, "--d", "D", "MIRAN's sampling distance; default 10", read_d},
	{OPTION_DT, "--dt", "T", "the time step in seconds; default 0.05", read_dt},
	{OPTION_SPEED, "--speed", "V", "the top speed in world units a second; default 1.4",
		read_speed},
	{OPTION_COMPARE, "--compare", NULL, "run all methods, a line of JSON each", NULL},
	{OPTION_TERRAIN, "--terrain", "FILE",
		"what lies on the ground: a type, a priority and a polygon a line", read_terrain},
	{OPTION_PROFILE, "--profile", "T=W,...",
		"the weight of each type: a number or blocked; default 1", read_profile},
	{OPTION_SVG, "--svg", "FILE", "draw the map and the path as SVG", read_svg},
	{OPTION_FIELD, "--field", "KIND", "draw clearance or labels of every pixel as PNG", read_field},
	{OPTION_PIXELS, "--pixels", "N", "along the larger side of the PNG; default 1024", read_pixels},
	{OPTION_HEIGHTS, "--heights", "h0,h1",
		"what blocks in a .obj level; default: 0.3 to 1.8 above the lowest point", read_heights},
	{OPTION_CELL, "--cell", "S", "the cell of its projection; default: a 1024th of the larger side",
		read_cell},
	{OPTION_EDITS, "--edits", "N", "how many obstacles to insert, remove or move", read_edits},
	{OPTION_SEED, "--seed", "S", "a whole number that decides which; default 1", read_seed},
	{OPTION_BOUNDS, "--bounds", "x0,y0,x1,y1",
		"the world; default: the input's box, widened by a tenth", read_bounds},
	{OPTION_SNAP, "--snap", "S", "round coordinates to multiples of S; default 1/1024", read_snap},
	{OPTION_THREADS, "--threads", "N", "build on N threads; default 1", read_threads},
	{OPTION_BACKEND, "--backend", "NAME", "cpu (default) or vulkan", read_backend},
	{OPTION_WALKABLE, "--walkable", NULL, "polygons are the free area, not obstacles", NULL},
};

#define TYPE_COUNT ((int)(sizeof(types) / sizeof(types[0])))

// The type that an argument names, with or without "=value" behind.
static const OptionType* find_type(const char* argument, uint32_t known)
{
	for (int i = 0; i < TYPE_COUNT; ++i)
	{
		size_t length = strlen(types[i].name);
		bool is_named = strncmp(argument, types[i].name, length) == 0 &&
						(argument[length] == '\0' || argument[length] == '=');
		if (is_named && (types[i].bit & known) != 0)
		{
			return &types[i];
		}
	}
	return NULL;
}

static bool complain(const char* format, const char* name)
{
	fputs("navcorridor: ", stderr);
	fprintf(stderr, format, name);
	fputc('\n', stderr);
	return false;
}

// Read the option at arguments[*index], and step over its value.
static bool parse_option(
	int count, char** arguments, int* index, OptionRules rules, Options* options)
{
	const char* argument = arguments[*index];
	const OptionType* type = find_type(argument, rules.known);
	if (type == NULL)
	{
		return complain("unknown option %s; see --help", argument);
	}
	if ((options->given & type->bit) != 0)
	{
		return complain("%s is given twice", type->name);
	}
	options->given |= type->bit;

	const char* equals = argument[strlen(type->name)] == '=' ? strchr(argument, '=') : NULL;
	if (type->read == NULL)
	{
		return equals == NULL || complain("%s takes no value", type->name);
	}
	if (equals == NULL && *index + 1 >= count)
	{
		return complain("%s needs a value", type->name);
	}
	OptionValue value = {type->name, equals != NULL ? equals + 1 : arguments[++*index]};
	return type->read(value, options);
}

static bool check_needed(OptionRules rules, const Options* options)
{
	if (options->input == NULL)
	{
		return complain("%s is missing; see --help", "the input file");
	}
	if ((rules.needed & OPTION_SCENARIO) != 0 && options->scenario == NULL)
	{
		return complain("%s is missing; see --help", "the scenario");
	}
	for (int i = 0; i < TYPE_COUNT; ++i)
	{
		if ((types[i].bit & rules.needed & ~options->given) != 0)
		{
			return complain("%s is missing; see --help", types[i].name);
		}
	}
	return true;
}

bool options_parse(int count, char** arguments, OptionRules rules, Options* options)
{
	*options = (Options){.thread_count = 1,
		.seed = 1,
		.pixel_count = 1024,
		.method = METHOD_MIRAN,
		.sigma = 40.0,
		.d = 10.0,
		.dt = 0.05,
		.speed = 1.4};
	bool is_input_only = false;
	for (int i = 0; i < count; ++i)
	{
		const char* argument = arguments[i];
		if (!is_input_only && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0))
		{
			options->is_help = true;
			return true;
		}
		if (!is_input_only && strcmp(argument, "--") == 0)
		{
			is_input_only = true;
		}
		else if (!is_input_only && argument[0] == '-')
		{
			if (!parse_option(count, arguments, &i, rules, options))
			{
				return false;
			}
		}
		else if (options->input != NULL && options->scenario == NULL &&
				 (rules.known & OPTION_SCENARIO) != 0)
		{
			options->scenario = argument;
		}
		else if (options->input != NULL)
		{
			return complain("unexpected argument %s: there is an input file already", argument);
		}
		else
		{
			options->input = argument;
		}
	}
	return check_needed(rules, options);
}

void options_print_help(uint32_t bits, FILE* file)
{
	for (int i = 0; i < TYPE_COUNT; ++i)
	{
		if ((types[i].bit & bits) != 0)
		{
			const char* placeholder = types[i].placeholder != NULL ? types[i].placeholder : "";
			fprintf(file, "  %-10s %-12s %s\n", types[i].name, placeholder, types[i].help);
		}
	}
}
