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
source "$(dirname "${BASH_SOURCE[0]}")/../tools/environment.sh"

GODOT="$(find_godot)" || exit 1
LIBRARY="$ROOT/demo_project/addons/nav_corridor/bin/libnav_corridor.linux.template_debug.x86_64.so"
PROJECT="$(mktemp -d)"
trap 'rm -rf "$PROJECT"' EXIT
passed=0
failed=0

report()
{
	if [[ "$1" == 0 ]]
	then
		echo "ok - $2"
		passed=$((passed + 1))
	else
		echo "not ok - $2"
		failed=$((failed + 1))
	fi
}

make_project()
{
	cp -r "$ROOT/demo_project/." "$PROJECT"
	rm -rf "$PROJECT/.godot"
	mkdir "$PROJECT/tests"
	cp "$ROOT/tests/godot/"*.gd "$PROJECT/tests"
	prepare_project "$PROJECT"
	# Class names of scripts are only known after an import.
	timeout 120 "$GODOT" --headless --path "$PROJECT" --import > "$PROJECT/import.log" 2>&1
	report $? "the project imports"
	check_log "$PROJECT/import.log" "" "the import log is clean"
}

# What an engine prints about itself when it ends, with nothing of ours.
make_baseline()
{
	mkdir "$PROJECT/.empty"
	printf 'config_version=5\n' > "$PROJECT/.empty/project.godot"
	printf 'extends SceneTree\nfunc _initialize():\n\tquit()\n' > "$PROJECT/.empty/empty.gd"
	timeout 60 "$GODOT" --headless --verbose --path "$PROJECT/.empty" -s empty.gd 2>&1 |
		find_complaints "" > "$PROJECT/baseline"
}

# Print lines of a log that complain. With "mistakes" those that our own code reports are left out,
# and so are arguments that the engine refuses or cannot convert; but never a failed assertion.
find_complaints()
{
	awk -v plan="$1" '
		function flush_line()
		{
			if (line != "") print line
			line = ""
		}
		/^ *at: / && line != "" {
			is_ours = $0 ~ /\(extension\/src\// && line !~ /bug in NavCorridor/
			is_refused = line ~ /Error calling method from .callv.|Invalid color name/
			if (plan == "mistakes" && (is_ours || is_refused)) line = ""
			flush_line()
			next
		}
		{ flush_line() }
		/ERROR:|WARNING:|SCRIPT ERROR|USER ERROR/ { line = $0; next }
		/[Ll]eaked|Orphan|RID allocations|still in use|unclaimed|Segmentation|Aborted/ { print }
		END { flush_line() }'
}

check_log()
{
	local complaints
	complaints="$(find_complaints "$2" < "$1" | grep -vxFf "$PROJECT/baseline")"
	[[ -z "$complaints" ]]
	report $? "$3"
	[[ -z "$complaints" ]] || head -n 12 <<< "$complaints" | sed 's/^/    /'
}

# Run a command of the engine, count its checks, and look at its log.
run_engine()
{
	local name="$1" plan="$2" log="$PROJECT/$1.log"
	shift 2
	timeout 240 "$GODOT" --headless --verbose --fixed-fps 60 --path "$PROJECT" "$@" > "$log" 2>&1
	local code=$?
	grep -E '^(ok|not ok) - ' "$log" | sed "s/^\(ok\|not ok\) - /\1 - $name: /"
	passed=$((passed + $(grep -cE '^ok - ' "$log")))
	failed=$((failed + $(grep -cE '^not ok - ' "$log")))
	[[ "$code" -le 1 ]] && grep -qx sentinel "$log"
	report $? "$name: runs to its end"
	[[ "$code" -le 1 ]] || tail -n 5 "$log" | sed 's/^/    /'
	check_log "$log" "$plan" "$name: the log is clean"
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
		run_engine "$name" "$plan" -s "res://tests/test_$name.gd"
	done
}

# The class help describes exactly what the classes have, and nothing is left empty.
check_help()
{
	cp -r "$ROOT/extension/doc_classes" "$PROJECT/doc_classes"
	timeout 60 "$GODOT" --headless --path "$PROJECT" --doctool "$PROJECT" --gdextension-docs \
		> "$PROJECT/help.log" 2>&1
	diff -r "$ROOT/extension/doc_classes" "$PROJECT/doc_classes" > "$PROJECT/help.diff"
	report $? "help: the class help matches the classes"
	head -n 12 "$PROJECT/help.diff" | sed 's/^/    /'
	! grep -qzE '<(description|brief_description)>\s*</|<(member|constant) [^>]*>\s*</' \
		"$PROJECT/doc_classes/"*.xml
	report $? "help: no description is empty"
}

if [[ ! -e "$LIBRARY" ]]
then
	echo "not ok - the extension is built: run scons first"
	echo "0 passed, 1 failed"
	exit 1
fi

: > "$PROJECT/baseline"
make_baseline
make_project
run_tests "$@"
if [[ $# == 0 ]]
then
	check_help
fi
echo "$passed passed, $failed failed"
[[ "$failed" == 0 ]]
