// SPDX-License-Identifier: MIT

// The options of the command line: what is understood and what is refused. The complaints go to
// stderr; tests/cli.sh reads them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MAX_WORDS 32

static const OptionRules query_rules = {
	OPTION_MAP_BITS | OPTION_FROM | OPTION_TO | OPTION_RADIUS | OPTION_ROUTE | OPTION_SVG,
	OPTION_FROM | OPTION_TO | OPTION_RADIUS,
};
static const OptionRules edit_rules = {OPTION_EDITS | OPTION_SEED, OPTION_EDITS};
static const OptionRules build_rules = {OPTION_MAP_BITS | OPTION_OUTPUT, 0};

// Cut a line at its spaces and parse the words. The options point into `line`.
static bool parse(char* line, OptionRules rules, Options* options)
{
	char* words[MAX_WORDS];
	int count = 0;
	for (char* word = strtok(line, " "); word != NULL; word = strtok(NULL, " "))
	{
		assert_true(count < MAX_WORDS);
		words[count++] = word;
	}
	return options_parse(count, words, rules, options);
}

static void all_options_are_understood(void** state)
{
	(void)state;
	char line[] = "town.wkt --from 5,5 --to=-95,9.5e1 --radius 0.5 --route medial --svg o.svg"
				  " --bounds -1,-2,3,4 --snap=0.25 --threads 4 --backend vulkan --walkable"
				  " --heights 0,2 --cell 0.5";
	Options options;
	assert_true(parse(line, query_rules, &options));
	assert_string_equal(options.input, "town.wkt");
	assert_true(options.from.x == 5.0 && options.from.y == 5.0);
	assert_true(options.to.x == -95.0 && options.to.y == 95.0);
	assert_true(options.radius == 0.5);
	assert_int_equal(options.route, ROUTE_MEDIAL);
	assert_string_equal(options.svg, "o.svg");
	assert_true(options.bounds.lower.x == -1.0 && options.bounds.upper.y == 4.0);
	assert_true(options.snap == 0.25);
	assert_int_equal(options.thread_count, 4);
	assert_int_equal(options.backend, BACKEND_VULKAN);
	assert_int_equal(options.given, query_rules.known);
}

static void defaults_hold_for_what_is_not_given(void** state)
{
	(void)state;
	char line[] = "a.seg";
	Options options;
	assert_true(parse(line, build_rules, &options));
	assert_int_equal(options.given, 0);
	assert_int_equal(options.thread_count, 1);
	assert_int_equal(options.backend, BACKEND_CPU);
	assert_true(options.snap == 0.0);
	assert_null(options.output);
}

static void a_file_may_look_like_an_option_after_two_dashes(void** state)
{
	(void)state;
	char line[] = "--snap 1 -- --help";
	Options options;
	assert_true(parse(line, build_rules, &options));
	assert_false(options.is_help);
	assert_string_equal(options.input, "--help");
}

static void help_comes_before_everything_else(void** state)
{
	(void)state;
	char line[] = "--help --nonsense";
	Options options;
	assert_true(parse(line, query_rules, &options));
	assert_true(options.is_help);
}

static void bad_options_are_refused(void** state)
{
	(void)state;
	static const char* const lines[] = {
		"",
		"a.wkt b.wkt",
		"a.wkt --colour red",
		"a.wkt --from 1,1",
		"a.wkt --snap",
		"a.wkt --snap 0",
		"a.wkt --snap -1",
		"a.wkt --snap nan",
		"a.wkt --snap 1,2",
		"a.wkt --snap=",
		"a.wkt --snap 1 --snap 2",
		"a.wkt --snapx 1",
		"a.wkt --walkable=yes",
		"a.wkt --threads 0",
		"a.wkt --threads 1.5",
		"a.wkt --threads 1000000",
		"a.wkt --backend gpu",
		"a.wkt --bounds 1,2,3",
		"a.wkt --bounds 1,2,3,4,5",
		"a.wkt --bounds 1,2,,4",
		"a.wkt --bounds 5,0,1,4",
		"a.wkt --bounds 0,0,inf,4",
		"a.wkt -o=",
	};
	for (int i = 0; i < COUNT(lines); ++i)
	{
		char line[128];
		strcpy(line, lines[i]);
		Options options;
		if (parse(line, build_rules, &options))
		{
			fail_msg("this was accepted: %s", lines[i]);
		}
	}
}

static void needed_options_are_asked_for(void** state)
{
	(void)state;
	static const char* const lines[] = {
		"a.wkt --to 1,1 --radius 1",
		"a.wkt --from 1,1 --radius 1",
		"a.wkt --from 1,1 --to 1,1",
		"a.wkt --from 1,1 --to 1,1 --radius -1",
		"a.wkt --from 1 --to 1,1 --radius 1",
		"a.wkt --from 1,1 --to 1,x --radius 1",
		"a.wkt --from 1,1 --to 1,1 --radius 1 --route longest",
		"--from 1,1 --to 1,1 --radius 1",
	};
	for (int i = 0; i < COUNT(lines); ++i)
	{
		char line[128];
		strcpy(line, lines[i]);
		Options options;
		if (parse(line, query_rules, &options))
		{
			fail_msg("this was accepted: %s", lines[i]);
		}
	}
}

static void edits_are_whole_numbers(void** state)
{
	(void)state;
	Options options;
	char line[] = "a.wkt --edits 250 --seed 9007199254740992";
	assert_true(parse(line, edit_rules, &options));
	assert_int_equal(options.edit_count, 250);
	assert_true(options.seed == (uint64_t)1 << 53);
	char without_seed[] = "a.wkt --edits 1";
	assert_true(parse(without_seed, edit_rules, &options));
	assert_true(options.seed == 1);

	static const char* const lines[] = {
		"a.wkt",
		"a.wkt --seed 3",
		"a.wkt --edits 0",
		"a.wkt --edits -5",
		"a.wkt --edits 1.5",
		"a.wkt --edits 1e300",
		"a.wkt --edits nan",
		"a.wkt --edits 5 --seed -1",
		"a.wkt --edits 5 --seed 1e17",
		"a.wkt --edits 5 --seed 0x10",
	};
	for (int i = 0; i < COUNT(lines); ++i)
	{
		char bad[128];
		strcpy(bad, lines[i]);
		if (parse(bad, edit_rules, &options))
		{
			fail_msg("this was accepted: %s", lines[i]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_options_are_understood),
		cmocka_unit_test(defaults_hold_for_what_is_not_given),
		cmocka_unit_test(a_file_may_look_like_an_option_after_two_dashes),
		cmocka_unit_test(help_comes_before_everything_else),
		cmocka_unit_test(bad_options_are_refused),
		cmocka_unit_test(needed_options_are_asked_for),
		cmocka_unit_test(edits_are_whole_numbers),
	};
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
