// SPDX-License-Identifier: MIT

// The command line of NavCorridor: for people without an engine, for baking in pipelines, and for
// checking the library. Results go to stdout, messages to stderr; the exit code is 0, 1 (the answer
// is no) or 2 (bad usage or input).

#include "commands.h"

#include <string.h>

typedef struct Command
{
	const char* name;
	const char* arguments; // as the usage shows them
	const char* help;
	CommandFn* run; // NULL: planned, not there yet
	OptionRules rules;
} Command;

static const Command commands[] = {
	{"build", "IN [options]", "build the map and print its size as JSON; -o OUT.ncm saves it",
		command_build, {OPTION_MAP_BITS | OPTION_OUTPUT, 0}},
	{"check", "IN [options]",
		"verify the map by brute force, and print as JSON what was checked and what failed",
		command_check, {OPTION_MAP_BITS, 0}},
	{"dump", "IN [options]",
		"print the map as text: \"v id x y clearance\" and"
		" \"e v0 v1 siteA siteB length min_clearance\"",
		command_dump, {OPTION_MAP_BITS, 0}},
	{"query", "IN --from x,y --to x,y --radius r [options]", "print a path as JSON", command_query,
		{OPTION_MAP_BITS | OPTION_FROM | OPTION_TO | OPTION_RADIUS | OPTION_ROUTE | OPTION_SVG |
				OPTION_TERRAIN | OPTION_PROFILE | OPTION_CONTROL,
			OPTION_FROM | OPTION_TO | OPTION_RADIUS}},
	{"scen", "IN.map FILE.scen --radius r [options]",
		"run the instances of a MovingAI scenario, and print a JSON line for each", command_scen,
		{OPTION_MAP_BITS | OPTION_SCENARIO | OPTION_RADIUS | OPTION_ROUTE,
			OPTION_SCENARIO | OPTION_RADIUS}},
	{"edit", "IN --edits N [--seed S] [options]",
		"insert, remove and move random obstacles, one by one, and compare with a fresh build",
		command_edit, {OPTION_MAP_BITS | OPTION_EDITS | OPTION_SEED, OPTION_EDITS}},
	{"steer", "IN (--from x,y --to x,y | --route FILE) --radius r [options]",
		"let an agent walk, and print its trajectory and how good it is as JSON", command_steer,
		{OPTION_MAP_BITS | OPTION_FROM | OPTION_TO | OPTION_RADIUS | OPTION_ROUTE_FILE |
				OPTION_METHOD | OPTION_SIGMA | OPTION_D | OPTION_DT | OPTION_SPEED |
				OPTION_COMPARE | OPTION_SVG | OPTION_TERRAIN | OPTION_PROFILE,
			OPTION_RADIUS}},
	{"render", "IN -o OUT [options]",
		"draw obstacles, walls and the medial axis as SVG; with --field, clearance or nearest walls"
		" as PNG",
		command_render,
		{OPTION_MAP_BITS | OPTION_OUTPUT | OPTION_FIELD | OPTION_PIXELS, OPTION_OUTPUT}},
};

#define COMMAND_COUNT ((int)(sizeof(commands) / sizeof(commands[0])))

static void print_usage(FILE* file)
{
	fprintf(file, "NavCorridor %s: corridor maps of 2D worlds\n\n", nc_get_version());
	fputs("usage: navcorridor COMMAND IN [options]\n\ncommands:\n", file);
	for (int i = 0; i < COMMAND_COUNT; ++i)
	{
		fprintf(file, "  %-8s %s%s\n", commands[i].name, commands[i].help,
			commands[i].run == NULL ? " (not available yet)" : "");
	}
	fputs("\nIN is a .wkt file (one geometry a line), a .seg file (x0 y0 x1 y1 a line), a .map\n"
		  "file (a MovingAI grid), a .obj file (a 3D level, y up) or a .ncm file (a map that\n"
		  "build -o saved).\n"
		  "navcorridor COMMAND --help lists the options of a command.\n"
		  "exit code: 0; 1 if the answer is no; 2 for bad usage or input\n",
		file);
}

static void print_command_help(const Command* command)
{
	if (command->run == NULL)
	{
		printf("navcorridor %s: %s (not available yet)\n", command->name, command->help);
		return;
	}
	printf("usage: navcorridor %s %s\n\n%s\n\noptions:\n", command->name, command->arguments,
		command->help);
	options_print_help(command->rules.known, stdout);
}

static const Command* find_command(const char* name)
{
	for (int i = 0; i < COMMAND_COUNT; ++i)
	{
		if (strcmp(name, commands[i].name) == 0)
		{
			return &commands[i];
		}
	}
	return NULL;
}

static bool is_help(const char* argument)
{
	return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static ExitCode run_command(const Command* command, int count, char** arguments)
{
	if (command->run == NULL)
	{
		if (count > 0 && is_help(arguments[0]))
		{
			print_command_help(command);
			return EXIT_CODE_YES;
		}
		fprintf(stderr, "navcorridor: %s is not available yet\n", command->name);
		return EXIT_CODE_BAD;
	}

	Options options;
	if (!options_parse(count, arguments, command->rules, &options))
	{
		return EXIT_CODE_BAD;
	}
	if (options.is_help)
	{
		print_command_help(command);
		return EXIT_CODE_YES;
	}
	return command->run(&options);
}

static ExitCode run(int count, char** arguments)
{
	if (count == 0)
	{
		print_usage(stderr);
		return EXIT_CODE_BAD;
	}
	if (is_help(arguments[0]) || strcmp(arguments[0], "help") == 0)
	{
		print_usage(stdout);
		return EXIT_CODE_YES;
	}
	if (strcmp(arguments[0], "--version") == 0)
	{
		printf("%s\n", nc_get_version());
		return EXIT_CODE_YES;
	}

	const Command* command = find_command(arguments[0]);
	if (command == NULL)
	{
		fprintf(stderr, "navcorridor: unknown command %s; see --help\n", arguments[0]);
		return EXIT_CODE_BAD;
	}
	return run_command(command, count - 1, arguments + 1);
}

static void log_message(void* context, const char* message)
{
	(void)context;
	fprintf(stderr, "navcorridor: %s\n", message);
}

int main(int argc, char** argv)
{
	nc_set_log(log_message, NULL);
	ExitCode code = run(argc > 0 ? argc - 1 : 0, argv + 1);

	// A result that nobody could read is no success.
	if (fflush(stdout) != 0 || ferror(stdout))
	{
		fputs("navcorridor: cannot write to standard output\n", stderr);
		return EXIT_CODE_BAD;
	}
	return (int)code;
}
