#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The command line as its users see it: results, complaints and exit codes. Prints a line for each
# check and the sum at the end. NAVCORRIDOR names the program; default build/navcorridor.

set -u
cd "$(dirname "$0")/.." || exit 2
program=$(realpath -m "${NAVCORRIDOR:-build/navcorridor}")
data=tests/data
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# report RESULT NAME: count a check, and show what the program said if it failed.
report()
{
	if [ "$1" -eq 0 ]
	then
		passed=$((passed + 1))
		echo "ok - $2"
	else
		failed=$((failed + 1))
		echo "not ok - $2"
		sed 's/^/# code: /' "$work/code"
		head -c 400 "$work/out" | sed -e 's/^/# out: /' -e '$a\'
		head -c 800 "$work/err" | sed -e 's/^/# err: /' -e '$a\'
	fi
}

# run ARGUMENT...: run the program and keep what it says.
run()
{
	timeout 60 "$program" "$@" >"$work/out" 2>"$work/err"
	echo $? >"$work/code"
}

# has_code CODE: the exit code of the last run, which is never that of a crash.
has_code()
{
	[ "$(cat "$work/code")" -eq "$1" ]
}

# expect NAME CODE WORDS ARGUMENT...: the run ends with this code; stderr has these words, or is
# empty if they are.
expect()
{
	local name=$1 code=$2 words=$3
	shift 3
	run "$@"
	if [ -n "$words" ]
	then
		has_code "$code" && grep -qF -- "$words" "$work/err"
	else
		has_code "$code" && [ ! -s "$work/err" ]
	fi
	report $? "$name"
}

# check_json NAME CONDITION: stdout is one JSON object j for which the Python condition holds.
check_json()
{
	python3 - "$work/out" "$2" <<'PYTHON' 2>>"$work/err"
import json, math, sys

def refuse(word):
    raise ValueError(word)

text = open(sys.argv[1]).read()
j = json.loads(text, parse_constant=refuse)
assert text.count("\n") == 1 and text.endswith("\n"), "not one line"
assert isinstance(j, dict)

def length(points):
    return sum(math.dist(a, b) for a, b in zip(points, points[1:]))

assert eval(f"({sys.argv[2]})"), sys.argv[2]
PYTHON
	report $? "$1"
}

# check_svg NAME FILE CONDITION: the file is well-formed and the Python condition holds, where
# find(id) is the element with that id, or None.
check_svg()
{
	python3 - "$2" "$3" <<'PYTHON' 2>>"$work/err"
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "{http://www.w3.org/2000/svg}svg"

def find(name):
    return next((e for e in root.iter() if e.get("id") == name), None)

def count(name):
    return len(list(find(name)))

assert eval(f"({sys.argv[2]})"), sys.argv[2]
PYTHON
	report $? "$1"
}

check_scen()
{
	printf 'version 1\n0\tframe.map\t9\t7\t1\t1\t7\t5\t8.2\n' >"$work/frame.scen"
	printf '0\tframe.map\t9\t7\t1\t1\t1\t1\t0\n' >>"$work/frame.scen"
	run scen $data/frame.map "$work/frame.scen" --radius 0
	has_code 0 && grep -q "2 of 2 instances are reachable" "$work/err"
	report $? "scen runs all instances"
	python3 - "$work/out" <<'PYTHON'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert [line["index"] for line in lines] == [0, 1]
assert all(line["reachable"] and line["us"] > 0 for line in lines)
assert lines[0]["optimal"] == 8.2 and 7.2 <= lines[0]["length"] < 10 and lines[1]["length"] == 0
PYTHON
	report $? "scen prints a line for each instance"
	run scen $data/frame.map "$work/frame.scen" --radius 3
	has_code 1
	report $? "scen says no where a disc does not fit"
	printf 'version 1\n0\tframe.map\t10\t7\t1\t1\t7\t5\t8.2\n' >"$work/other.scen"
	expect "scen refuses a scenario of another map" 2 "other.scen:2: the scenario is for a map" \
		scen $data/frame.map "$work/other.scen" --radius 0
	printf 'version 1\n0\tframe.map\t9\t7\t1\tx\n' >"$work/bad.scen"
	expect "scen names a bad line" 2 "bad.scen:2" scen $data/frame.map "$work/bad.scen" --radius 0
	: >"$work/none.scen"
	expect "scen refuses an empty scenario" 2 "none.scen" \
		scen $data/frame.map "$work/none.scen" --radius 0
	expect "scen needs a scenario" 2 "the scenario is missing" scen $data/frame.map --radius 0
	expect "scen needs a file that is there" 2 "missing.scen" \
		scen $data/frame.map "$work/missing.scen" --radius 0
}

check_usage()
{
	expect "without arguments the usage goes to stderr" 2 "usage: navcorridor"
	expect "--help succeeds" 0 "" --help
	for command in build check dump query scen edit steer render
	do
		expect "$command --help succeeds" 0 "" "$command" --help
		grep -q "navcorridor $command" "$work/out"
		report $? "$command --help names the command"
	done
	expect "--version succeeds" 0 "" --version
	expect "an unknown command is refused" 2 "unknown command fly" fly
	expect "an unknown option is named" 2 "--colour" build $data/town.wkt --colour red
	expect "an option of another command is refused" 2 "--from" build $data/town.wkt --from 1,1
	expect "a missing input is refused" 2 "input file is missing" build
	expect "two inputs are refused" 2 "rooms.seg" build $data/town.wkt $data/rooms.seg
	expect "a missing value is named" 2 "--snap needs a value" build $data/town.wkt --snap
	expect "a bad number is named" 2 "--snap fine: 'fine'" build $data/town.wkt --snap fine
	expect "bounds that are turned over are refused" 2 "--bounds" \
		build $data/town.wkt --bounds 10,10,0,0
	expect "bounds that are not finite are refused" 2 "--bounds" \
		build $data/town.wkt --bounds 0,0,nan,10
	expect "a missing --from is named" 2 "--from is missing" query $data/town.wkt --to 1,1 --radius 1
	expect "a negative radius is refused" 2 "--radius" \
		query $data/town.wkt --from 5,5 --to 95,95 --radius -1
	expect "a missing -o is named" 2 "-o is missing" render $data/town.wkt
	expect "a missing --edits is named" 2 "--edits is missing" edit $data/town.wkt
	expect "half an edit is refused" 2 "--edits 1.5: expected a whole number" \
		edit $data/town.wkt --edits 1.5
	expect "a negative seed is refused" 2 "--seed -1: expected a whole number" \
		edit $data/town.wkt --edits 1 --seed -1
	expect "a map is saved as .ncm" 2 "saved maps end in .ncm" build $data/town.wkt -o "$work/x.wkt"
	local ground="--bounds 0,0,200,200 --terrain $data/mckenna_road.terrain"
	expect "weighted routes are found" 0 "" \
		query $data/mckenna.wkt $ground --profile sidewalk=0.5,road=4,mud=40 \
		--from 5,104 --to 195,104 --radius 0.75 --route weighted --svg "$work/weighted.svg"
	check_json "a weighted route uses the sidewalk" \
		'j["route"] == "weighted" and j["cost"] < 180 and j["length"] > 190'
	grep -q 'id="terrain"' "$work/weighted.svg"
	report $? "terrain is drawn"
	expect "a profile names types that exist" 2 "no type LAVA" \
		query $data/mckenna.wkt $ground --profile lava=2 --from 5,104 --to 9,104 --radius 0.5
	expect "weights are above zero" 2 "above zero" \
		query $data/mckenna.wkt $ground --profile mud=-1 --from 5,104 --to 9,104 --radius 0.5
	expect "terrain files that are no terrain are refused" 2 "town.wkt:" \
		query $data/mckenna.wkt --terrain $data/town.wkt --from 5,104 --to 9,104 --radius 0.5
	expect "an agent walks to its goal" 0 "" steer $data/mckenna.wkt --bounds 0,0,200,200 \
		--from 6,104 --to 150,160 --radius 0.75 --svg "$work/steer.svg"
	check_json "a walk is described" \
		'j["method"] == "miran" and j["arrived"] and j["min_clearance"] >= 0.75 and \
		abs(length(j["trajectory"]) - j["length"]) < 1e-6 and j["mean_curvature"] < 0.2'
	expect "an agent follows a drawn route" 0 "" steer $data/mckenna.wkt $ground \
		--profile sidewalk=0.5,road=4,mud=40 --radius 0.75 --route $data/mckenna_road_route.wkt
	check_json "it keeps out of the mud" 'j["terrain_times"]["MUD"] == 0'
	expect "all methods are compared" 0 "" steer $data/mckenna.wkt --bounds 0,0,200,200 \
		--from 6,104 --to 30,104 --radius 0.75 --compare
	[ "$(sed -n 's/^{"method":"\([a-z]*\)","arrived":true.*/\1/p' "$work/out" | tr '\n' ' ')" \
		= "cmm improved irm miran pd " ]
	report $? "there is a line for each method"
	expect "d is at most sigma" 2 "at most sigma" steer $data/mckenna.wkt --bounds 0,0,200,200 \
		--from 6,104 --to 30,104 --radius 0.75 --sigma 5 --d 6
	expect "steering needs a route or two ends" 2 "or --route" steer $data/mckenna.wkt --radius 1
	expect "a route through a wall is refused" 2 "does not fit" steer $data/mckenna.wkt \
		--bounds 0,0,200,200 --radius 30 --route $data/mckenna_loop.wkt
}

check_bad_input()
{
	expect "a missing file is named" 2 "no_such.wkt: cannot open" build no_such.wkt
	expect "a folder is refused" 2 "cannot" build "$work/folder.wkt"
	expect "an unknown ending is named" 2 "unknown ending '.md'" build README.md
	expect "a bad cell is refused with line and column" 2 "broken_cell.map:6: column 2: 'x'" \
		build $data/broken_cell.map
	expect "a grid is not a walkable polygon" 2 "leave out --walkable" \
		build $data/frame.map --walkable
	expect "nan is refused with its line" 2 "broken_nan.wkt:3: 'nan'" build $data/broken_nan.wkt
	expect "inf is refused with its line" 2 "broken_infinity.wkt:1: 'inf'" \
		build $data/broken_infinity.wkt
	expect "a polygon of two points is refused with its line" 2 \
		"broken_two_points.wkt:3: ring 1 of the polygon has only 2 different points" \
		build $data/broken_two_points.wkt
	expect "text after a geometry is refused" 2 "broken_tail.wkt:2:" build $data/broken_tail.wkt
	expect "a number that is too long is refused" 2 "more than 63 characters" \
		build $data/broken_long_number.wkt
	expect "a geometry that does not end is refused" 2 "the line ends" build $data/broken_open.wkt
	expect "an unknown geometry is named" 2 "CIRCULARSTRING" build $data/broken_type.wkt
	expect "coordinates beyond the range are refused" 2 "broken_range.wkt" \
		build $data/broken_range.wkt
	expect "a file without geometry is refused" 2 "no geometry" build $data/broken_nothing.wkt
	expect "half a segment is refused with its line" 2 "broken_pair.seg:2:" \
		build $data/broken_pair.seg
	expect "an empty file is refused" 2 "empty.wkt: the file is empty" build "$work/empty.wkt"
	expect "a single point needs --bounds" 2 "give the world with --bounds" build "$work/point.wkt"
	expect "random bytes are refused" 2 "random.wkt" build "$work/random.wkt"
	for command in dump check "edit --edits 1" "query --from 1,1 --to 2,2 --radius 0" "render -o $work/x.svg"
	do
		# shellcheck disable=SC2086 # the words are separate arguments
		expect "${command%% *} refuses bad input too" 2 "broken_nan.wkt:3:" \
			$command $data/broken_nan.wkt
	done
}

check_build()
{
	for scene in town.wkt mckenna.wkt rooms.seg
	do
		expect "build reads $scene" 0 "" build $data/$scene
		check_json "build describes $scene" \
			'all(j[k] > 0 for k in "vertices edges sites components build_ms walls bytes".split())'
	done
	expect "a single point is a world with --bounds" 0 "" build "$work/point.wkt" --bounds 0,0,9,9
	expect "empty geometry is an empty world" 0 "" build "$work/nothing.wkt" --bounds 0,0,9,9
	check_json "an empty world has a medial axis" 'j["edges"] > 0 and j["obstacles"] == 0'
	expect "a segment of no length is read" 0 "" build "$work/dot.seg" --bounds 0,0,9,9
	check_json "a segment of no length blocks like a point" 'j["sites"] == 5 and j["walls"] == 5'
	# The software driver itself leaves some bytes behind when it is unloaded.
	ASAN_OPTIONS=detect_leaks=0 \
		expect "the Vulkan backend builds a map" 0 "" build $data/town.wkt --backend vulkan
	VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent expect \
		"without a driver the CPU builds it" 0 "the CPU does the work" \
		build $data/town.wkt --backend vulkan
	for backend in cpu vulkan
	do
		run dump $data/mckenna.wkt --backend $backend
		cp "$work/out" "$work/dump.$backend"
	done
	cmp -s "$work/dump.cpu" "$work/dump.vulkan"
	report $? "both backends give the same map"
	expect "a coarser snap is taken" 0 "" build $data/town.wkt --snap 0.25
	expect "a snap that is too fine is refused" 2 "snap" build $data/town.wkt --snap 1e-9
	expect "walkable polygons are taken" 0 "" build "$work/walkable.wkt" --walkable
}

check_grids()
{
	expect "a grid is read" 0 "" build $data/frame.map
	check_json "cells that share a side are one obstacle" 'j["obstacles"] == 5'
	expect "a checkerboard is read" 0 "" build $data/checkerboard.map
	check_json "nobody passes between cells that touch in a corner" \
		'j["obstacles"] == 18 and j["components"] == 18'
	expect "a grid without obstacles is read" 0 "" build $data/all_free.map
	check_json "its world is the grid" 'j["obstacles"] == 0 and j["walls"] == 4 and j["edges"] == 5'
	expect "a grid without free cells is read" 0 "" build $data/all_blocked.map
	check_json "it has no medial axis" 'j["obstacles"] == 1 and j["edges"] == 0'
	expect "a wider world is taken" 0 "" build $data/all_blocked.map --bounds -1,-1,9,9
	check_json "a wider world has room around the grid" 'j["edges"] > 0 and j["components"] == 1'
	expect "a path through a grid is found" 0 "" \
		query $data/frame.map --from 1.5,1.5 --to 7.5,5.5 --radius 0.3
	check_json "the path has its ends" 'j["points"][0] == [1.5, 1.5] and j["points"][-1] == [7.5, 5.5]'
	expect "a corner where cells touch is closed" 1 "no path" \
		query $data/corners.map --from 0.5,0.5 --to 2.5,2.5 --radius 0
}

# count_free_cells FILE: how many cells of a grid are free, which is its free area.
count_free_cells()
{
	tail -n +5 "$1" | tr -cd '.GS' | wc -c
}

check_check()
{
	local scene
	for scene in town.wkt mckenna.wkt rooms.seg frame.map
	do
		expect "check passes $scene" 0 "" check $data/$scene
		check_json "check counts what it did with $scene" 'j["ok"] is True and j["failures"] == []
			and all(j["checked"][k] > 0 for k in "vertices edges arcs samples faces sides corners"
			.split()) and j["checked"]["points"] == 10000 and j["checked"]["full_scans"] > 10000'
	done
	for scene in frame corners checkerboard all_free all_blocked
	do
		expect "check passes $scene.map" 0 "" check $data/$scene.map
		check_json "the free area of $scene.map is that of its free cells" \
			"j['ok'] and abs(j['free_area'] - $(count_free_cells $data/$scene.map)) < 1e-9"
	done
	for scene in "$data"/issue_*.wkt
	do
		expect "check passes $(basename "$scene")" 0 "" check "$scene"
	done
	for scene in "$data"/issue_*.seg # in snaps
	do
		expect "check passes $(basename "$scene")" 0 "" check "$scene" --snap 1
	done
	expect "check passes a walkable area" 0 "" check "$work/walkable.wkt" --walkable
	check_json "the free area of a walkable area is its own" 'abs(j["free_area"] - 96) < 1e-9'
	expect "check passes a coarse snap" 0 "" check $data/town.wkt --snap 0.5
	expect "check passes a build on four threads" 0 "" check $data/town.wkt --threads 4
	expect "check passes an empty world" 0 "" check "$work/nothing.wkt" --bounds 0,0,9,9
}

# Property: 50 random scenes of overlapping, crossing, nested and repeated obstacles pass, and 25
# random grids.
check_random_scenes()
{
	local seed bad=""
	mkdir "$work/random"
	python3 tests/random_scenes.py "$work/random" 0 50
	for seed in $(seq 0 49)
	do
		run check "$work/random/scene_$seed.wkt"
		has_code 0 || bad="$bad scene_$seed"
	done
	report "${#bad}" "random scenes pass the check, but for:${bad:- none}"
	bad=""
	for seed in $(seq 0 24)
	do
		run check "$work/random/grid_$seed.map"
		has_code 0 || bad="$bad grid_$seed"
	done
	report "${#bad}" "random grids pass the check, but for:${bad:- none}"
}

check_edit()
{
	local scene hash
	for scene in mckenna.wkt rooms.seg corners.map
	do
		expect "edit changes $scene" 0 "" edit $data/$scene --edits 60 --seed 2
		check_json "edits of $scene end in the map of a fresh build" 'j["edits"] == 60
			and j["equal_to_fresh_build"] is True and j["hash"] == j["fresh_hash"]
			and 0 < j["p50_us"] <= j["p99_us"] and j["unresolved"] == 0 and j["check"]["ok"]'
	done
	hash=$(sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/' "$work/out")
	run edit $data/corners.map --edits 60 --seed 2 --threads 4
	grep -q "\"hash\":\"$hash\"" "$work/out"
	report $? "edits on four threads end in the same map"
	run edit $data/corners.map --edits 60 --seed 3
	has_code 0 && ! grep -q "\"hash\":\"$hash\"" "$work/out"
	report $? "another seed makes other edits"
	expect "an empty world can be edited" 0 "" \
		edit "$work/nothing.wkt" --bounds 0,0,9,9 --edits 40
	check_json "edits of an empty world bring obstacles" 'j["equal_to_fresh_build"]'
}

# check_dump_text NAME: the dump is well-formed, and edges join vertices that exist.
check_dump_text()
{
	python3 - "$work/out" <<'PYTHON' 2>>"$work/err"
import sys

vertices = edges = 0
for line in open(sys.argv[1]):
    kind, *fields = line.split()
    if kind == "v":
        assert edges == 0 and int(fields[0]) == vertices and len(fields) == 4, line
        assert float(fields[3]) >= 0.0, line
        vertices += 1
    else:
        assert kind == "e" and len(fields) == 6, line
        assert all(0 <= int(v) < vertices for v in fields[:2]), line
        assert all(-1 <= int(site) < 200 for site in fields[2:4]), line
        assert float(fields[4]) > 0.0 and float(fields[5]) >= 0.0, line
        edges += 1
assert vertices > 20 and edges > 20
PYTHON
	report $? "$1"
}

check_dump()
{
	expect "dump reads the town" 0 "" dump $data/town.wkt
	check_dump_text "the dump is well-formed"
	cp "$work/out" "$work/first"
	run dump $data/town.wkt --threads 4
	cmp -s "$work/first" "$work/out"
	report $? "the dump is the same on four threads"
	run dump "$work/two.wkt" --bounds 0,0,20,10
	grep -Eq '^e [0-9]+ [0-9]+ (0 1|1 0) [0-9.]+ 2$' "$work/out"
	report $? "an edge between two obstacles names both and its clearance"
}

# check_clearance NAME SCENE RADIUS: every segment of the path keeps the radius from every segment of
# the scene, by brute force. Rounding to the snap of 1/1024 may cost a thousandth.
check_clearance()
{
	python3 - "$work/out" "$2" "$3" <<'PYTHON' 2>>"$work/err"
import json, re, sys

def to_segment(p, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square if square > 0 else 0
    t = min(1, max(0, t))
    return ((p[0] - a[0] - t * dx) ** 2 + (p[1] - a[1] - t * dy) ** 2) ** 0.5

def side(a, b, p):
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

def distance(a, b, c, d):
    if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
        return 0
    return min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))

walls = []
for line in open(sys.argv[2]):
    for ring in re.findall(r"\(([^()]+)\)", line.split("#")[0]):
        points = [tuple(map(float, pair.split())) for pair in ring.split(",")]
        walls += zip(points, points[1:] or points)
path = json.load(open(sys.argv[1]))["points"]
room = min(distance(a, b, c, d) for a, b in zip(path, path[1:]) for c, d in walls)
assert len(walls) > 100 and room >= float(sys.argv[3]) - 1e-3, room
PYTHON
	report $? "$1"
}

check_query()
{
	local town="query $data/town.wkt --from 5,5 --to 95,95 --radius 0.5"
	# shellcheck disable=SC2086
	expect "a path across the town is found" 0 "" $town --svg "$work/town.svg"
	check_json "the path has its length and its ends" 'j["reachable"] is True
		and j["points"][0] == [5, 5] and j["points"][-1] == [95, 95]
		and -1e-6 < length(j["points"]) - j["length"] < 0.02 * j["length"]
		and 127 < j["length"] < 180 and j["min_clearance"] >= 0.5'
	check_clearance "the path keeps its distance from everything" $data/town.wkt 0.5
	check_svg "the picture shows the path" "$work/town.svg" \
		'find("path").get("d").count("L") >= 1 and count("corridor") > 3
		and count("medial-axis") > 50 and count("walls") > 100 and count("obstacles") > 20
		and find("start") is not None and find("goal") is not None'
	# shellcheck disable=SC2086
	expect "a medial path is found" 0 "" $town --route medial
	check_json "the medial path says so and bends" \
		'j["route"] == "medial" and j["length"] > 127 and len(j["points"]) > 5'
	check_clearance "the medial path keeps its distance from everything" $data/town.wkt 0.5

	printf 'LINESTRING (5 50, 5 95, 50 95)\n' > "$work/drawing.wkt"
	# shellcheck disable=SC2086
	expect "a drawn route is found" 0 "" $town --control "$work/drawing.wkt"
	check_json "the drawn route goes around by the corner of the drawing" 'j["route"] == "control"
		and j["points"][0] == [5, 5] and j["points"][-1] == [95, 95] and j["length"] > 170
		and min((x - 5) ** 2 + (y - 95) ** 2 for x, y in j["points"]) < 50'
	check_clearance "the drawn route keeps its distance from everything" $data/town.wkt 0.5
	# shellcheck disable=SC2086
	expect "a drawing has to exist" 2 "cannot open" $town --control "$work/nothing.wkt"

	expect "a path through the rooms is found" 0 "" \
		query $data/rooms.seg --from 1,15 --to 35,3 --radius 0.4 --bounds -5,-5,45,35
	check_json "the path goes through doors" 'j["reachable"] and j["length"] > 36'
	expect "doors are too narrow for a large disc" 1 "no path" \
		query $data/rooms.seg --from 1,15 --to 35,3 --radius 0.6 --svg "$work/rooms.svg"
	check_json "no path is an answer" \
		'j["reachable"] is False and j["points"] == [] and j["outcome"] == "none"'
	check_svg "the picture shows that there is no path" "$work/rooms.svg" 'find("path") is None
		and find("start") is not None'

	expect "a start inside a wall is explained" 1 "the start 13,14 is inside" \
		query $data/town.wkt --from 13,14 --to 95,95 --radius 0.5
	check_json "a blocked start is an answer" 'not j["reachable"] and j["outcome"] == "start_blocked"'
	expect "a goal inside a wall is explained" 1 "the goal 13,14 is inside" \
		query $data/town.wkt --from 5,5 --to 13,14 --radius 0.5
	check_json "a blocked goal is an answer" 'not j["reachable"] and j["outcome"] == "goal_blocked"'
	expect "a start without room is explained" 1 "too little for the radius" \
		query $data/town.wkt --from 0.2,5 --to 95,95 --radius 0.5
	expect "a start outside of the world is explained" 1 "outside of the world" \
		query $data/town.wkt --from -500,5 --to 95,95 --radius 0.5
	expect "the island cannot be reached" 1 "no path" \
		query $data/town.wkt --from 5,5 --to 74.5,24.8 --radius 0.2
	expect "the goal may be the start" 0 "" \
		query $data/town.wkt --from 5,5 --to 5,5 --radius 0.5
	check_json "the way to where one is has no length" 'j["reachable"] and j["length"] == 0'
	expect "a walkable area is walked" 0 "" \
		query "$work/walkable.wkt" --walkable --from 1,1 --to 9,9 --radius 0.5
	expect "nobody walks outside of a walkable area" 1 "inside" \
		query "$work/walkable.wkt" --walkable --from 1,1 --to 10.5,5 --radius 0
}

# has_png_size FILE WIDTH HEIGHT: the file is a whole PNG of this size, with right sums.
has_png_size()
{
	python3 - "$@" <<'END'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
width, height = int(sys.argv[2]), int(sys.argv[3])
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at, packed, names = 8, b"", []
while at < len(data):
    size, = struct.unpack(">I", data[at:at + 4])
    name, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body)
    if name == b"IHDR":
        assert struct.unpack(">IIBBBBB", body) == (width, height, 8, 2, 0, 0, 0)
    packed += body if name == b"IDAT" else b""
    names.append(name)
    at += 12 + size
assert names == [b"IHDR", b"IDAT", b"IEND"]
assert len(zlib.decompress(packed)) == height * (1 + 3 * width)
END
}

check_fields()
{
	local field
	for field in clearance labels
	do
		expect "render --field $field draws" 0 "" render $data/town.wkt --field $field \
			--pixels 300 -o "$work/$field.png"
		run render $data/town.wkt --field $field --pixels 300 --backend vulkan \
			-o "$work/vulkan.png"
		cmp -s "$work/$field.png" "$work/vulkan.png"
		report $? "both backends draw the same $field"
	done
	run render $data/mckenna.wkt --bounds 0,0,200,200 --field labels --pixels 123 -o "$work/a.png"
	has_png_size "$work/a.png" 123 123
	report $? "the picture is a PNG"
	expect "an unknown field is refused" 2 "--field" render $data/town.wkt --field x -o "$work/x.png"
	expect "a picture that cannot be written is named" 2 "folder.png" \
		render $data/town.wkt --field labels --pixels 20 -o "$work/no/such/folder.png"
}

check_levels()
{
	printf 'v 0 0 0\nv 10 0 0\nv 10 0 10\nv 0 0 10\nf 1 2 3 4\n' >"$work/level.obj"
	printf 'v 4 0 4\nv 6 0 4\nv 6 2 4\nv 4 2 4\nf 5/1/1 6//2 7/3 8\nf -4 -3 -2\n' >>"$work/level.obj"
	expect "a level is read" 0 "" build "$work/level.obj" --cell 0.1
	check_json "what is in the way becomes an obstacle" 'j["obstacles"] == 1'
	expect "heights are taken" 0 "" build "$work/level.obj" --cell 0.1 --heights 2.5,3
	check_json "what is above the head blocks nobody" 'j["obstacles"] == 0'
	printf 'v 0 0 0\nf 1 2 3\n' >"$work/bad.obj"
	expect "a face without its vertex is refused" 2 "bad.obj:2: there is no vertex 2" \
		build "$work/bad.obj"
	expect "heights in the wrong order are refused" 2 "--heights" \
		build "$work/level.obj" --heights 2,1
}

check_render()
{
	for scene in town.wkt mckenna.wkt rooms.seg
	do
		expect "render draws $scene" 0 "" render $data/$scene -o "$work/$scene.svg"
		check_svg "the picture of $scene is complete" "$work/$scene.svg" \
			'count("medial-axis") > 20 and count("walls") > 20 and find("path") is None'
	done
	expect "a picture that cannot be created is named" 2 "no/such/folder.svg: cannot write" \
		render $data/town.wkt -o "$work/no/such/folder.svg"
	expect "a picture that cannot be written is named" 2 "/dev/full: cannot write" \
		render $data/town.wkt -o /dev/full
	expect "query names a picture that cannot be created" 2 "cannot write" \
		query $data/town.wkt --from 5,5 --to 95,95 --radius 0.5 --svg "$work/no/such/folder.svg"
}

# Saved maps: every command answers as for the file that the map was built from.
check_saved()
{
	local scene saved
	for scene in town.wkt rooms.seg corners.map
	do
		saved="$work/$scene.ncm"
		expect "build saves $scene" 0 "" build $data/$scene -o "$saved"
		cp "$work/out" "$work/first"
		expect "build loads the saved $scene" 0 "" build "$saved"
		python3 - "$work/first" "$work/out" <<'PYTHON' 2>>"$work/err"
import json, sys

a, b = (json.load(open(name)) for name in sys.argv[1:])
for key in "vertices edges sites components obstacles walls unresolved".split():
    assert a[key] == b[key] and a["walls"] > 0, key
PYTHON
		report $? "the saved $scene has the same size"
		expect "check passes the saved $scene" 0 "" check "$saved"
		check_json "check counts what it did with the saved $scene" \
			'j["ok"] and j["checked"]["points"] == 10000'
		run dump $data/$scene
		sed 's/^v [0-9]*/v/; s/^e [0-9]* [0-9]*/e/' "$work/out" | sort >"$work/first"
		run dump "$saved"
		sed 's/^v [0-9]*/v/; s/^e [0-9]* [0-9]*/e/' "$work/out" | sort | cmp -s "$work/first" -
		report $? "the dump of the saved $scene is the same but for its order"
		run build "$saved" -o "$work/again.ncm"
		has_code 0 && cmp -s "$saved" "$work/again.ncm"
		report $? "the saved $scene is saved with the same bytes"
		expect "edit changes the saved $scene" 0 "" edit "$saved" --edits 40 --seed 3
		check_json "edits of the saved $scene end in the map of a fresh load" \
			'j["equal_to_fresh_build"] and j["unresolved"] == 0 and j["check"]["ok"]'
	done
	saved="$work/town.wkt.ncm"
	run query $data/town.wkt --from 5,5 --to 95,95 --radius 0.5
	cp "$work/out" "$work/first"
	expect "a path through a saved map is found" 0 "" \
		query "$saved" --from 5,5 --to 95,95 --radius 0.5 --svg "$work/saved.svg" --threads 2
	cmp -s "$work/first" "$work/out"
	report $? "the path through the saved map is the same"
	expect "render draws a saved map" 0 "" render "$saved" -o "$work/saved.svg"
	check_svg "the picture of a saved map has walls and medial axis" "$work/saved.svg" \
		'count("medial-axis") > 20 and count("walls") > 20 and count("obstacles") == 0'
}

check_bad_saved()
{
	local saved="$work/town.wkt.ncm"
	expect "a missing saved map is named" 2 "no_such.ncm: cannot open" build no_such.ncm
	expect "something else is no saved map" 2 "not a saved map" check "$work/wrong.ncm"
	head -c 5000 "$saved" >"$work/cut.ncm"
	expect "half a saved map is refused" 2 "cut.ncm: the saved map is incomplete" dump "$work/cut.ncm"
	(head -c 6000 "$saved"; printf '\377\377'; tail -c +6003 "$saved") >"$work/changed.ncm"
	expect "a damaged saved map is refused" 2 "checksum" \
		query "$work/changed.ncm" --from 5,5 --to 6,6 --radius 0
	expect "a saved map has its own bounds" 2 "leave out --bounds" build "$saved" --bounds 0,0,9,9
	expect "a saved map has its own snap" 2 "leave out" build "$saved" --snap 0.5
	expect "a map that cannot be created is named" 2 "no/folder.ncm: cannot write" \
		build $data/town.wkt -o "$work/no/folder.ncm"
	ln -s /dev/full "$work/full.ncm"
	expect "a map that cannot be written is named" 2 "full.ncm: cannot write" \
		build $data/town.wkt -o "$work/full.ncm"
}

check_full_output()
{
	timeout 60 "$program" build $data/town.wkt >/dev/full 2>"$work/err"
	echo $? >"$work/code"
	: >"$work/out"
	has_code 2 && grep -q "standard output" "$work/err"
	report $? "a full disk is a failure"
}

if [ ! -x "$program" ]
then
	echo "not ok - there is no $program: run scons first"
	echo "0 passed, 1 failed"
	exit 1
fi

mkdir "$work/folder.wkt"
: >"$work/empty.wkt"
echo "POINT (5 5)" >"$work/point.wkt"
echo "5 5 5 5" >"$work/dot.seg"
echo "POLYGON EMPTY" >"$work/nothing.wkt"
echo "POINT (5 5)" >"$work/wrong.ncm"
echo "POLYGON ((0 0, 10 0, 10 10, 0 10), (4 4, 6 4, 6 6, 4 6))" >"$work/walkable.wkt"
printf 'POLYGON ((2 2, 8 2, 8 8, 2 8))\nPOLYGON ((12 2, 18 2, 18 8, 12 8))\n' >"$work/two.wkt"
python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(5000))' \
	>"$work/random.wkt"

check_usage
check_bad_input
check_build
check_grids
check_check
check_random_scenes
check_edit
check_dump
check_query
check_render
check_scen
check_fields
check_levels
check_saved
check_bad_saved
check_full_output
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
