#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What users get: the exported demo with the release template, and the zip of tools/package in an
# empty project.
set -u
source "$(dirname "${BASH_SOURCE[0]}")/godot/engine.sh"

RELEASE="${LIBRARY/template_debug/template_release}"
BINARY=demo.x86_64

# Export the copy of the project into $GAME. The template is the one beside the engine, unless
# GODOT_TEMPLATE names another.
export_demo()
{
	local template="${GODOT_TEMPLATE:-$GODOT_HOME/templates/linux_release.x86_64}"
	local log="$PROJECT/logs/export.log"
	GAME="$PROJECT/logs/game"
	mkdir "$GAME"
	sed -i "s|^custom_template/release=.*|custom_template/release=\"$template\"|" \
		"$PROJECT/export_presets.cfg"
	timeout 240 "$GODOT" --headless --path "$PROJECT" --export-release Linux "$GAME/$BINARY" \
		> "$log" 2>&1
	report $? "export: the demo is exported with the release template"
	check_log "$log" "" "export: the log is clean"
	cmp -s "$GAME/$(basename "$RELEASE")" "$RELEASE"
	report $? "export: the release library lies beside the binary"
	[[ "$(ls "$GAME" | grep -c '\.so$')" == 1 ]]
	report $? "export: no other library does"
	! grep -qE 'res://(tests|logs|export)/' "$GAME/${BINARY%.x86_64}.pck"
	report $? "export: the package has nothing of the tests"
}

# run_game NAME: the exported game runs every scene.
run_game()
{
	run_engine "$1" "" env -C "$GAME" LD_PRELOAD="${LD_PRELOAD_GAME:-}" "./$BINARY" --headless --fixed-fps 60 -- --selftest
	local count
	count="$(ls "$ROOT/demo_project/scenes/"[0-9][0-9]_*.tscn | wc -l)"
	[[ "$(grep -cE '^(not )?ok - [0-9]{2}_' "$PROJECT/logs/$1.log")" == "$count" ]]
	report $? "$1: it ran all $count scenes"
}

# Hide the Vulkan loader itself: nobody finds libvulkan by any name.
run_game_without_vulkan()
{
	local shim="$PROJECT/logs/hide_vulkan.so"
	gcc -shared -fPIC -o "$shim" -x c - <<-'C'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <string.h>
		void* dlopen(const char* file, int flags)
		{
			void* (*real)(const char*, int) = dlsym(RTLD_NEXT, "dlopen");
			return file != 0 && strstr(file, "libvulkan") != 0 ? 0 : real(file, flags);
		}
	C
	report $? "export: the Vulkan loader can be hidden"
	LD_PRELOAD_GAME="$shim" run_game "exported game, no Vulkan"
}

# The add-on alone, as the Asset Library hands it out, in a project that has nothing else.
check_package()
{
	local zip="$PROJECT/logs/nav_corridor.zip" empty="$PROJECT/logs/package"
	"$ROOT/tools/package" "$zip" > "$PROJECT/logs/package.log" 2>&1
	report $? "package: tools/package makes the zip"
	mkdir "$empty"
	python3 -m zipfile -e "$zip" "$empty"
	report $? "package: it unpacks"
	[[ "$(ls "$empty")" == addons && "$(ls "$empty/addons")" == nav_corridor ]]
	report $? "package: it has addons/nav_corridor and nothing else"
	check_package_files "$empty/addons/nav_corridor"
	cp "$ROOT/tests/godot/checker.gd" "$ROOT/tests/godot/tutorial.gd" "$ROOT/docs/godot.md" "$empty"
	printf 'config_version=5\n' > "$empty/project.godot"
	prepare_project "$empty"
	run_engine "empty project" "" "$GODOT" --headless --verbose --fixed-fps 60 --path "$empty" \
		-s res://tutorial.gd
}

check_package_files()
{
	local file
	for file in LICENSE.md README.md nav_corridor.gdextension "bin/$(basename "$LIBRARY")" \
		"bin/$(basename "$RELEASE")"
	do
		[[ -s "$1/$file" ]]
		report $? "package: it has $file"
	done
	sed -n 's/.*= "\(icons\/.*\)"/\1/p' "$1/nav_corridor.gdextension" | while read -r file
	do
		[[ -s "$1/$file" ]] || echo "$file"
	done > "$PROJECT/logs/icons"
	[[ ! -s "$PROJECT/logs/icons" ]]
	report $? "package: it has all icons that it names"
	! find "$1" -name '*.import' | grep -q .
	report $? "package: it has no files that Godot makes itself"
}

if [[ ! -e "$RELEASE" ]]
then
	report 1 "the release library is built: run scons target=template_release first"
	print_sum
	exit 1
fi
make_project
add_baseline "$GODOT" --headless --verbose -s empty.gd
export_demo
run_game "exported game"
run_game_without_vulkan
check_package
print_sum
