#!/bin/bash
# SPDX-License-Identifier: MIT
# Compare our diagrams with those of Boost.Polygon and CGAL on a share of all scenes, in about a
# minute. tools/soak oracle compares all. The last line is `N passed, M failed`.
#
#   tests/oracle.sh [FIRST_SEED [SCENE_COUNT]]   random scenes: which ones, and how many of each kind

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

first="${1:-0}"
count="${2:-1000}"
last=$(( first + count - 1 ))

scons -s build/oracle_diagram >&2 || exit 1

exec build/oracle_diagram --self-test mckenna city:30 city17:30 random:5000 comb:100 comb:1000 \
	gons:20 published:0..8 "lattice:$first..$(( first + count / 5 - 1 ))" \
	"mixed:$first..$last" "overlap:$first..$last" \
	tests/data/issue_3_*.seg "hard:$first..$(( first + count / 2 - 1 ))"
