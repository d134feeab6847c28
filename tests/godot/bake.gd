# SPDX-License-Identifier: MIT
# Let the engine bake a navigation polygon, for tools/bench.
#
#     godot --headless --path PROJECT -s bake.gd -- FILE RUNS
#
# The first line of the file has the corners of the bounds as x y x y; every other line is an
# obstacle, x y x y and so on, in pixels. Prints the seconds of the best run and how many polygons
# were made.
extends SceneTree


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var source := read_source(arguments[0])
	var best := INF
	var polygon_count := 0
	for run in int(arguments[1]):
		var polygon := NavigationPolygon.new()
		var begin := Time.get_ticks_usec()
		NavigationServer2D.bake_from_source_geometry_data(polygon, source)
		best = minf(best, (Time.get_ticks_usec() - begin) * 1e-6)
		polygon_count = polygon.get_polygon_count()
	print("baked %.6f %d" % [best, polygon_count])
	quit()


func read_source(path: String) -> NavigationMeshSourceGeometryData2D:
	var source := NavigationMeshSourceGeometryData2D.new()
	var is_first := true
	for line in FileAccess.get_file_as_string(path).split("\n", false):
		var numbers := line.split_floats(" ", false)
		var points := PackedVector2Array()
		for i in range(0, numbers.size(), 2):
			points.append(Vector2(numbers[i], numbers[i + 1]))
		if is_first:
			source.add_traversable_outline(points)
		else:
			source.add_obstruction_outline(points)
		is_first = false
	return source
