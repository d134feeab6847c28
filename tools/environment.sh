# SPDX-License-Identifier: MIT
# What the scripts in this folder share: where things are, and how to run the engine.
# Source it; it starts nothing by itself.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
GODOT_VERSION=4.6.3
GODOT_HOME="${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/nav_corridor/godot-$GODOT_VERSION"

fail()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# Print the engine to use: the caller's GODOT, or the one that tools/setup installs.
find_godot()
{
	if [[ -n "${GODOT:-}" ]]
	then
		command -v "$GODOT" || fail "GODOT=$GODOT is not a program"
	elif [[ -x "$GODOT_HOME/bin/godot" ]]
	then
		printf '%s\n' "$GODOT_HOME/bin/godot"
	else
		fail "there is no Godot yet: run tools/setup, or set GODOT=/path/to/godot"
	fi
}

# Make a Godot project load our extension on its very first run. The editor writes this list only
# after its first scan, and a run without it crashes at exit (Godot issue 111048).
prepare_project()
{
	mkdir -p "$1/.godot"
	printf 'res://addons/nav_corridor/nav_corridor.gdextension\n' > "$1/.godot/extension_list.cfg"
}

# Run a command with a display: the caller's own, or a virtual one that ends with the command.
with_display()
{
	if [[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]]
	then
		"$@"
	else
		with_virtual_display "$@"
	fi
}

# Run a command on a new virtual display of 1280 x 720, and return its exit code. The server picks a
# free number by itself, and ends with this subshell whatever happens.
with_virtual_display()
(
	pipe="$(mktemp -u)"
	mkfifo "$pipe"
	Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp 3> "$pipe" 2> /dev/null &
	trap "kill $! 2> /dev/null; wait $!" EXIT
	read -r -t 30 number < "$pipe" || fail "Xvfb does not start"
	rm -f "$pipe"
	env -u WAYLAND_DISPLAY DISPLAY=":$number" "$@"
)
