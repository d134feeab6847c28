#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests of the extension in the real engine, without a display.
#
#     tests/godot.sh [NAME...]      for example: tests/godot.sh agent server
#
# Every tests/godot/test_*.gd runs in its own process and in a copy of the project. Its checks are
# counted, and its log is one more check: no error, warning, leak or orphan. A test that makes
# mistakes on purpose says so in a line "# mistakes: expected"; then errors that our own code reports
# are part of the plan, and anything else is not.
set -u
source "$(dirname "${BASH_SOURCE[0]}")/godot/engine.sh"

# The first import of the project, but for its list of extensions: see prepare_project.
import_project()
{
	timeout 120 "$GODOT" --headless --path "$PROJECT" --import > "$PROJECT/logs/import.log" 2>&1
	report $? "the project imports"
	check_log "$PROJECT/logs/import.log" "" "the import log is clean"
}

run_tests()
{
	local script name plan
	for script in "$ROOT/tests/godot/"test_*.gd
	do
		name="$(basename "$script" .gd)"
		name="${name#test_}"
		[[ $# == 0 || " $* " == *" $name "* ]] || continue
		plan=""
		grep -q '^# mistakes: expected' "$script" && plan=mistakes
		run_engine "$name" "$plan" "$GODOT" --headless --verbose --fixed-fps 60 --path "$PROJECT" \
			-s "res://tests/test_$name.gd"
	done
}

# The class help describes exactly what the classes have, and nothing is left empty.
check_help()
{
	cp -r "$ROOT/extension/doc_classes" "$PROJECT/logs/doc_classes"
	timeout 60 "$GODOT" --headless --path "$PROJECT" --doctool "$PROJECT/logs" --gdextension-docs \
		> "$PROJECT/logs/help.log" 2>&1
	diff -r "$ROOT/extension/doc_classes" "$PROJECT/logs/doc_classes" > "$PROJECT/logs/help.diff"
	report $? "help: the class help matches the classes"
	head -n 12 "$PROJECT/logs/help.diff" | sed 's/^/    /'
	! grep -qzE '<(description|brief_description)>\s*</|<(member|constant) [^>]*>\s*</' \
		"$PROJECT/logs/doc_classes/"*.xml
	report $? "help: no description is empty"
}

make_project
add_baseline "$GODOT" --headless --verbose -s empty.gd
mkdir "$PROJECT/tests"
cp "$ROOT/tests/godot/"*.gd "$PROJECT/tests"
import_project
run_tests "$@"
if [[ $# == 0 ]]
then
	check_help
fi
print_sum
