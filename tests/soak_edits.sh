#!/bin/bash
# SPDX-License-Identifier: MIT
# The long proof of updates in place: 100,000 random edits of a city of 2,500 blocks, obstacles
# overlapping, must give the same bits as a fresh build, with 1, 2 and 4 threads, gcc and clang, -O0
# and -O3. Usage: soak_edits.sh [EDITS [SEED]]. Prints a line a run and `N passed, M failed`.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
edits=${1:-100000}
seed=${2:-1}
work=build/soak_edits
mkdir -p "$work"

# A city like that of the benchmarks, 50 x 50 blocks of 15 units, 5 apart.
python3 - > "$work/city.wkt" << 'PYTHON'
for j in range(50):
    for i in range(50):
        x, y = 20 * i, 20 * j
        print(f"POLYGON (({x} {y}, {x + 15} {y}, {x + 15} {y + 15}, {x} {y + 15}, {x} {y}))")
PYTHON

passed=0
failed=0
expected=

# run NAME PROGRAM THREADS: edit, and compare the hash with that of the runs before.
run()
{
	local output hash
	output=$("$2" edit "$work/city.wkt" --edits "$edits" --seed "$seed" --threads "$3" 2>&1)
	hash=$(printf '%s' "$output" | sed -n 's/.*"hash":"\([^"]*\)".*/\1/p')
	expected=${expected:-$hash}
	if [[ "$output" == *'"equal_to_fresh_build":true'* && -n "$hash" && "$hash" == "$expected" ]]
	then
		printf 'ok - %s, %s threads: %s\n' "$1" "$3" "$output"
		passed=$((passed + 1))
	else
		printf 'not ok - %s, %s threads: %s\n' "$1" "$3" "$output"
		failed=$((failed + 1))
	fi
}

for compiler in gcc clang
do
	for level in -O0 -O3
	do
		program=$work/navcorridor_$compiler$level
		use_llvm=$([[ $compiler == clang ]] && echo yes || echo no)
		dev_build=$([[ $level == -O0 ]] && echo yes || echo no)
		scons -s -j "$(nproc)" target=template_release use_llvm="$use_llvm" dev_build="$dev_build" \
			build/navcorridor >&2 || exit 1
		cp build/navcorridor "$program"
		run "$compiler $level" "$program" 1
		if [[ $level == -O3 ]]
		then
			run "$compiler $level" "$program" 2
			run "$compiler $level" "$program" 4
		fi
	done
done
printf '%d passed, %d failed\n' "$passed" "$failed"
(( failed == 0 ))
