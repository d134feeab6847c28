#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The long proof of the command line's check: random scenes of overlapping, crossing, nested and
# repeated obstacles, random grids, and random edits of some of them. Prints what fails and the sum.
#
#   soak_check.sh [COUNT] [FIRST]     seeds from FIRST on; default 1000 from 0

set -u
cd "$(dirname "$0")/.." || exit 2
count=${1:-1000}
first=${2:-0}
scons -s -j "$(nproc)" build/navcorridor >&2 || exit 2
program=build/navcorridor
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# try COMMAND FILE ARGUMENT...: count whether the program is content with a file.
try()
{
	if timeout 120 "$program" "$@" >"$work/out" 2>"$work/err"
	then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok - $1 $(basename "$2") ${*:3}"
		head -c 600 "$work/out" "$work/err" | sed 's/^/# /'
	fi
}

python3 tests/random_scenes.py "$work" "$first" "$count"
for ((seed = first; seed < first + count; ++seed))
do
	try check "$work/scene_$seed.wkt"
	try check "$work/grid_$seed.map"
	if ((seed % 10 == 0))
	then
		try edit "$work/scene_$seed.wkt" --edits 100 --seed "$seed" --threads 2
	fi
	if ((seed % 100 == 99))
	then
		echo "# $((seed + 1 - first)) of $count seeds" >&2
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
