#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What the README and the docs promise: the C program compiles, links against an installation and
# prints what is written there; the commands print what is written there; every link and every file
# that is named exists. Prints a line for each check and the sum at the end. Needs build/navcorridor.
#
# Arguments go to scons, so that a caller who has built already does not build again.

set -u
cd "$(dirname "$0")/.." || exit 2
work=$PWD/build/readme
prefix=$work/prefix
passed=0
failed=0
rm -rf "$work"
mkdir -p "$work" || exit 2
: >"$work/log"

# report RESULT NAME: count a check, and show the log if it failed.
report()
{
	if [ "$1" -eq 0 ]
	then
		passed=$((passed + 1))
		echo "ok - $2"
	else
		failed=$((failed + 1))
		echo "not ok - $2"
		tail -n 20 "$work/log" | sed 's/^/# /'
	fi
	: >"$work/log"
}

# read_block LANGUAGE: print the only block of that language in the README.
read_block()
{
	awk -v fence="\`\`\`$1" '
		$0 == fence { inside = 1; count++; next }
		/^```/ { inside = 0 }
		inside { print }
		END { exit count != 1 }' README.md
}

# in_work COMMAND...: run a command beside the program, with the installation found.
in_work()
{
	(cd "$work" && PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib \
		timeout 60 "$@") >>"$work/log" 2>&1
}

# check_run PROGRAM LIBRARIES NAME: with that folder of libraries, the program prints what the
# README says.
check_run()
{
	(cd "$work" && LD_LIBRARY_PATH=$2 timeout 10 "./$1") >"$work/printed" 2>>"$work/log" &&
		diff "$work/expected" "$work/printed" >>"$work/log"
	report $? "$3"
}

check_program()
{
	read_block c >"$work/room.c" && read_block text >"$work/expected"
	report $? "the README has one C program and its output"

	timeout 600 scons -s "$@" install prefix="$prefix" >"$work/log" 2>&1
	report $? "scons install works"

	command -v pkg-config >>"$work/log" || echo "pkg-config is missing: install pkgconf" >>"$work/log"
	local build
	build=$(read_block sh | grep '^gcc ')
	[ -n "$build" ] && in_work bash -c "$build"
	report $? "the program compiles as the README says"
	check_run room "$prefix/lib" "the program prints what the README says"

	local compiler strict="-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only"
	for compiler in gcc clang
	do
		in_work bash -c "$compiler $strict \$(pkg-config --cflags nav_corridor) room.c"
		report $? "$compiler has no warning for the program"
	done

	in_work bash -c "gcc -std=c17 \$(pkg-config --cflags nav_corridor) room.c -o room_static \
		\$(pkg-config --libs --static nav_corridor | sed 's/-lnav_corridor/-l:libnav_corridor.a/')"
	report $? "the program links with the static library"
	check_run room_static "" "alone, it prints the same"
}

# Times and sizes differ from run to run and from machine to machine; all else does not.
hide_changing()
{
	sed -E 's/"(build_ms|bytes)":[0-9.e+-]+/"\1":_/g'
}

# Print the output of a command, messages first, as the README does.
run_example()
{
	timeout 60 bash -c "$1" >"$work/out" 2>"$work/err"
	cat "$work/err" "$work/out" | hide_changing
}

check_examples()
{
	read_block console | hide_changing >"$work/console"
	local command
	while read -r command
	do
		run_example "$command" >"$work/printed"
		awk -v command="\$ $command" '
			/^\$ / { inside = $0 == command; next }
			inside { print }' "$work/console" >"$work/expected"
		[ -s "$work/expected" ] && diff "$work/expected" "$work/printed" >>"$work/log"
		report $? "prints what the README says: $command"
	done < <(sed -n 's/^\$ //p' "$work/console")
	[ "$(grep -c '^\$ ' "$work/console")" -ge 3 ]
	report $? "the README has examples of the command line"
}

# check_document FILE: its relative links lead to files, and to headings that exist.
check_document()
{
	python3 - "$1" >>"$work/log" 2>&1 <<'PYTHON'
import os, re, sys

def read(path):
    return re.sub(r"^```.*?^```", "", open(path).read(), flags=re.S | re.M)

def anchors(path):
    titles = re.findall(r"^#+ +(.*)$", read(path), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}

document = sys.argv[1]
bad = 0
for target in re.findall(r"\]\(([^)\s]+)\)", read(document)):
    if re.match(r"[a-z]+:", target):
        continue
    path, _, anchor = target.partition("#")
    path = os.path.join(os.path.dirname(document), path) if path else document
    if not os.path.exists(path):
        print(f"{document}: {target} does not exist")
        bad += 1
    elif anchor and anchor not in anchors(path):
        print(f"{document}: {target} names no heading")
        bad += 1
sys.exit(bad != 0)
PYTHON
	report $? "all links of $1 lead somewhere"
}

# check_names FILE: every source, script or folder that it names in backticks exists in the tree.
check_names()
{
	local name pattern
	grep -oE '`[a-z0-9_/]+(\.(c|h|py|list|sh|md)|/)`' "$1" | tr -d '`' | sort -u |
		while read -r name
		do
			pattern=${name//./\\.}
			[[ $name == */ ]] || pattern+='$'
			git ls-files --cached --others --exclude-standard | grep -qE "(^|/)$pattern" ||
				echo "$1: there is no $name"
		done >>"$work/log"
	[ ! -s "$work/log" ]
	report $? "all files that $1 names exist"
}

check_program "$@"
check_examples
for document in README.md CHANGELOG.md docs/*.md demo_project/addons/nav_corridor/README.md
do
	check_document "$document"
done
check_names docs/architecture.md
check_names docs/algorithms.md

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
