#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A thousand random sequences of calls over the interface of the add-on: tests/godot/test_random.gd.
# They run in parts, each in an engine of its own whose log is read like those of tests/godot.sh.
#
#     tools/soak godot_random [COUNT [FIRST_SEED]]
set -u
source "$(dirname "${BASH_SOURCE[0]}")/godot/engine.sh"

PART=50
count="${1:-1000}"
first="${2:-1}"

(cd "$ROOT" && scons -s -j "$(nproc)") >&2 || exit 1
make_project
add_baseline "$GODOT" --headless --verbose -s empty.gd
mkdir "$PROJECT/tests"
cp "$ROOT/tests/godot/"*.gd "$PROJECT/tests"
for ((seed = first; seed < first + count; seed += PART))
do
	part=$((first + count - seed < PART ? first + count - seed : PART))
	run_engine "random $seed" mistakes "$GODOT" --headless --verbose --fixed-fps 60 \
		--path "$PROJECT" -s res://tests/test_random.gd -- "$seed" "$part"
done
print_sum
