# SPDX-License-Identifier: MIT
# What tests/godot.sh and tests/editor.sh share: running the engine in a copy of the demo project,
# counting checks and reading logs. Source it; it starts nothing by itself.

source "$(dirname "${BASH_SOURCE[0]}")/../../tools/environment.sh"

LIBRARY="$ROOT/demo_project/addons/nav_corridor/bin/libnav_corridor.linux.template_debug.x86_64.so"
# Software drivers share their cache of shaders, and crash if several programs write to it at once.
export MESA_SHADER_CACHE_DIR="${MESA_SHADER_CACHE_DIR:-$ROOT/build/mesa_cache}"

RUNNER=() # what runs the engine, for example with_virtual_display
passed=0
failed=0

# report CODE NAME: count a check of this script; it passed if the code is 0.
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

# Print the last line and return whether all is well.
print_sum()
{
	echo "$passed passed, $failed failed"
	[[ "$failed" == 0 ]]
}

# Make the temporary project in $PROJECT, which ends with the script.
make_project()
{
	GODOT="$(find_godot)" || exit 1
	if [[ ! -e "$LIBRARY" ]]
	then
		report 1 "the extension is built: run scons first"
		print_sum
		exit 1
	fi
	PROJECT="$(mktemp -d)"
	trap 'rm -rf "$PROJECT"' EXIT
	cp -r "$ROOT/demo_project/." "$PROJECT"
	rm -rf "$PROJECT/.godot"
	prepare_project "$PROJECT"
	mkdir "$PROJECT/logs"
	touch "$PROJECT/logs/.gdignore"
	: > "$PROJECT/logs/baseline"
}

# The same complaint with other numbers is the same complaint.
mask_numbers()
{
	sed -E 's/[0-9]+/N/g'
}

# add_baseline COMMAND...: remember what an engine complains about in a project with nothing of ours.
# The command gets the empty project as its last arguments.
add_baseline()
{
	local empty="$PROJECT/logs/empty"
	mkdir -p "$empty"
	printf 'config_version=5\n[rendering]\nrenderer/rendering_method="gl_compatibility"\n' \
		> "$empty/project.godot"
	printf 'extends SceneTree\nfunc _initialize():\n\tquit()\n' > "$empty/empty.gd"
	"${RUNNER[@]}" timeout 120 "$@" --path "$empty" 2>&1 |
		find_complaints "" | mask_numbers >> "$PROJECT/logs/baseline"
}

# find_complaints PLAN: print the lines of a log that complain. With the plan "mistakes" those that
# our own code reports are left out, and so are arguments that the engine refuses or cannot convert;
# but never a failed assertion.
find_complaints()
{
	awk -v plan="$1" '
		# Of two threads the lines may be mixed: then our own complaints are known by their begin.
		function flush_line(is_ours)
		{
			is_ours = line ~ /ERROR: ([a-z_]+\(\):|(Nav)?Corridor[A-Za-z0-9]*[.:]|TerrainProfile)/ && line !~ /bug in NavCorridor/
			if (line != "" && !(plan == "mistakes" && is_ours)) print line
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

# check_log FILE PLAN NAME: one check, that the log complains about nothing but the baseline.
check_log()
{
	local complaints
	complaints="$(find_complaints "$2" < "$1" | mask_numbers | grep -vxFf "$PROJECT/logs/baseline")"
	[[ -z "$complaints" ]]
	report $? "$3"
	[[ -z "$complaints" ]] || head -n 12 <<< "$complaints" | sed 's/^/    /'
}

# run_engine NAME PLAN COMMAND...: run the engine, count the checks that it prints, see that it came
# to its end, and look at its log.
run_engine()
{
	local name="$1" plan="$2" log="$PROJECT/logs/$1.log"
	shift 2
	"${RUNNER[@]}" timeout "${ENGINE_SECONDS:-240}" "$@" > "$log" 2>&1
	local code=$?
	grep -E '^(ok|not ok) - ' "$log" | sed -E "s/^(ok|not ok) - /\1 - $name: /"
	passed=$((passed + $(grep -cE '^ok - ' "$log")))
	failed=$((failed + $(grep -cE '^not ok - ' "$log")))
	[[ "$code" -le 1 ]] && grep -qx sentinel "$log"
	local ended=$?
	report $ended "$name: runs to its end"
	[[ "$ended" == 0 ]] || tail -n 8 "$log" | sed 's/^/    /'
	check_log "$log" "$plan" "$name: the log is clean"
}
