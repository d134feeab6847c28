#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests of the extension in the Godot editor: once without a display, once on a virtual one with
# pictures, which are kept in build/editor_pictures.
set -u
source "$(dirname "${BASH_SOURCE[0]}")/godot/engine.sh"

PICTURES="$ROOT/build/editor_pictures"
ENGINE_SECONDS=600 # on a busy machine; some 150 on an idle one
WINDOW=(--audio-driver Dummy --windowed --resolution 1280x720 --position 0,0)

# The plugin that drives the editor lives in the copy of the project only.
add_plugin()
{
	mkdir -p "$PROJECT/addons/nav_corridor_test"
	cp "$ROOT/tests/godot/editor/"* "$PROJECT/addons/nav_corridor_test"
	printf '\n[editor_plugins]\n\nenabled=PackedStringArray("%s")\n' \
		"res://addons/nav_corridor_test/plugin.cfg" >> "$PROJECT/project.godot"
}

# run_editor NAME FOLDER COMMAND...
run_editor()
{
	local name="$1" folder="$2"
	shift 2
	NC_EDITOR_TEST="$folder" run_engine "$name" "" "$@" -e --quit-after 20000 --path "$PROJECT"
}

# The first start of a project in which nothing is imported yet. Its list of extensions is there
# already, by prepare_project: without it the engine itself crashes at the end of such a start, with
# any extension (Godot issue 111048).
check_first_start()
{
	local log="$PROJECT/logs/first_start.log"
	timeout 120 "$GODOT" --headless --verbose -e --quit --path "$PROJECT" > "$log" 2>&1
	report $? "first start: the editor opens and closes the project"
	check_log "$log" "" "first start: the log is clean"
}

make_project
add_baseline "$GODOT" --headless --verbose -e --quit
check_first_start
add_plugin
run_editor headless headless "$GODOT" --headless

rm -rf "$PICTURES"
mkdir -p "$PICTURES"
RUNNER=(with_virtual_display)
add_baseline "$GODOT" "${WINDOW[@]}" -e --quit
run_editor window "$PICTURES" "$GODOT" "${WINDOW[@]}"
print_sum
