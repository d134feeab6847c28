# SPDX-License-Identifier: MIT
# The server answers what it should, through typed and through untyped calls.
extends "checker.gd"

var map: RID
var changes: Array[RID] = []


func run() -> void:
	server.map_changed.connect(on_map_changed)
	map = server.map_create()
	maps_begin_empty()
	await edits_are_seen_at_once_and_told_in_the_next_frame()
	await frames_are_measured()
	questions_have_the_right_answers()
	paths_keep_the_radius()
	a_budget_buys_shorter_paths()
	obstacles_have_all_types()
	untyped_calls_are_the_same()
	results_of_failed_calls_are_empty()
	constants_have_their_values()
	threads_may_ask_while_others_edit()
	maps_and_obstacles_are_freed_in_any_order()
	server.map_changed.disconnect(on_map_changed)
	server.free_rid(map)
	check_equal(server.get_maps().size(), 0, "no map is left at the end")


func on_map_changed(changed: RID) -> void:
	changes.append(changed)


func make_obstacle(rect: Rect2) -> RID:
	var obstacle := server.obstacle_create()
	server.obstacle_set_vertices(obstacle, make_box(rect))
	server.obstacle_set_map(obstacle, map)
	return obstacle


func make_obstacles(polygons: Array[PackedVector2Array]) -> Array[RID]:
	var obstacles: Array[RID] = []
	for points in polygons:
		var obstacle := server.obstacle_create()
		server.obstacle_set_vertices(obstacle, points)
		server.obstacle_set_map(obstacle, map)
		obstacles.append(obstacle)
	return obstacles


# The guard of the map moves points by some thousandths.
func is_near(a: Vector2, b: Vector2) -> bool:
	return a.distance_to(b) < 0.01


func maps_begin_empty() -> void:
	check(map.is_valid(), "map_create() returns a valid RID")
	check(server.get_maps().has(map), "get_maps() has it")
	check_equal(server.map_get_iteration_id(map), 0, "it was not built yet")
	check_equal(server.map_get_bounds(map), Rect2(), "it has no bounds")
	server.map_set_bounds(map, BOUNDS)
	check_equal(server.map_get_bounds(map), BOUNDS, "its bounds can be set")
	check_near(
		server.map_get_clearance(map, Vector2(500, 300)), 300.0, 0.001, "and it answers at once"
	)


func edits_are_seen_at_once_and_told_in_the_next_frame() -> void:
	await wait_frames(2)
	changes.clear()
	var obstacle := make_obstacle(Rect2(400, 200, 200, 200))
	check_equal(
		server.map_get_clearance(map, Vector2(500, 300)), 0.0, "a new obstacle blocks at once"
	)
	check_equal(changes, [] as Array[RID], "map_changed is not emitted inside of a call")
	await wait_frames(2)
	check_equal(changes, [map] as Array[RID], "map_changed is emitted once in the next frame")
	server.obstacle_set_position(obstacle, Vector2(-300, 0))
	check_near(
		server.map_get_clearance(map, Vector2(310, 300)), 10.0, 0.01, "an obstacle can be moved"
	)
	check_equal(server.map_get_obstacles(map), [obstacle], "the map knows its obstacle")
	check_equal(server.obstacle_get_map(obstacle), map, "the obstacle knows its map")
	server.obstacle_set_map(obstacle, RID())
	check_near(
		server.map_get_clearance(map, Vector2(500, 300)), 300.0, 0.001, "it can be taken out"
	)
	server.obstacle_set_map(obstacle, map)
	server.free_rid(obstacle)
	check_near(
		server.map_get_clearance(map, Vector2(200, 300)), 200.0, 0.001, "and freed"
	)
	await wait_frames(2)
	changes.clear()
	await wait_frames(3)
	check_equal(changes, [] as Array[RID], "nothing is told when nothing changes")


# A thousand obstacles take longer to build than the clock needs to move on.
func frames_are_measured() -> void:
	var many: Array[RID] = []
	for i in 1000:
		many.append(make_obstacle(Rect2(20.0 + 24.0 * (i % 40), 20.0 + 22.0 * floorf(i / 40.0), 10, 10)))
	server.map_set_active(map, true)
	await physics_frame
	await process_frame
	check(server.get_process_info(server.INFO_UPDATE_USEC) > 0, "the time of edits is measured")
	for obstacle in many:
		server.free_rid(obstacle)
	server.map_set_active(map, false)


func questions_have_the_right_answers() -> void:
	var obstacle := make_obstacle(Rect2(400, 200, 200, 200))
	check_near(server.map_get_clearance(map, Vector2(370, 300)), 30.0, 0.01, "clearance")
	check(
		is_near(server.map_get_closest_obstacle_point(map, Vector2(370, 300)), Vector2(400, 300)),
		"closest obstacle point"
	)
	check(
		is_near(server.map_get_closest_point(map, Vector2(420, 300), 25.0), Vector2(375, 300)),
		"closest free point for a radius"
	)
	check_equal(
		server.map_get_closest_point(map, Vector2(100, 300), 25.0), Vector2(100, 300),
		"a free point is its own closest one"
	)
	check(
		is_near(server.map_get_closest_point(map, Vector2(-500, 300), 25.0), Vector2(25, 300)),
		"also from outside the bounds"
	)
	check(server.map_is_reachable(map, Vector2(150, 300), Vector2(850, 300), 99.0), "reachable")
	check(not server.map_is_reachable(map, Vector2(150, 300), Vector2(850, 300), 101.0), "too wide")
	check(
		server.map_is_segment_free(map, Vector2(50, 150), Vector2(950, 150), 49.0),
		"segment is free"
	)
	check(
		not server.map_is_segment_free(map, Vector2(50, 150), Vector2(950, 150), 51.0), "and is not"
	)

	var corridor := server.map_get_corridor(map, Vector2(50, 300), Vector2(950, 300), 10.0)
	var size: int = corridor.points.size()
	check(size >= 3, "a corridor has events")
	check(
		[corridor.left, corridor.right, corridor.clearances].all(
			func(values: Variant) -> bool: return values.size() == size
		),
		"all arrays of a corridor have the same size"
	)
	var worst := 0.0
	for i in size:
		worst = maxf(
			worst, absf(corridor.points[i].distance_to(corridor.left[i]) - corridor.clearances[i])
		)
		worst = maxf(
			worst, absf(corridor.points[i].distance_to(corridor.right[i]) - corridor.clearances[i])
		)
	check(worst < 0.01, "left and right are as far away as the clearance says (%f)" % worst)

	var axis := server.map_get_medial_axis(map)
	check(axis.size() >= 8 and axis.size() % 2 == 0, "the medial axis is made of lines")
	check(
		server.get_process_info(server.INFO_EDGE_COUNT) > 0, "there are edges to count"
	)
	check_equal(server.get_process_info(server.INFO_OBSTACLE_COUNT), 1, "one obstacle")
	server.free_rid(obstacle)


func paths_keep_the_radius() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 99
	var polygons := make_random_polygons(random, 25)
	var obstacles := make_obstacles(polygons)
	var least := INF
	var found := 0
	for i in 200:
		var radius := random.randf_range(0.0, 30.0)
		var from := find_free_point(random, polygons, radius + 0.1)
		var to := find_free_point(random, polygons, radius + 0.1)
		for route in [server.ROUTE_MEDIAL, server.ROUTE_SHORTEST]:
			var path := server.map_get_path(map, from, to, radius, route)
			found += 1 if path.size() > 0 else 0
			for k in path.size() - 1:
				for step in 8:
					var point := path[k].lerp(path[k + 1], step / 8.0)
					least = minf(least, find_clearance(polygons, point) - radius)
	check(found > 200, "most paths are found (%d of 400)" % found)
	check(
		least >= -0.002,
		"no path comes closer than the radius, up to the grid of the map (%f)" % least
	)
	for obstacle in obstacles:
		server.free_rid(obstacle)


func measure(path: PackedVector2Array) -> float:
	var length := 0.0
	for i in path.size() - 1:
		length += path[i].distance_to(path[i + 1])
	return length


func a_budget_buys_shorter_paths() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 5
	var polygons := make_random_polygons(random, 25)
	var obstacles := make_obstacles(polygons)
	var usual := server.map_get_search_budget(map)
	check_equal(usual, 2000, "there is a budget in the beginning")
	var shorter := 0
	var longer := 0
	for i in 100:
		var from := find_free_point(random, polygons, 5.1)
		var to := find_free_point(random, polygons, 5.1)
		server.map_set_search_budget(map, 0)
		var one := measure(server.map_get_path(map, from, to, 5.0))
		server.map_set_search_budget(map, usual)
		var best := measure(server.map_get_path(map, from, to, 5.0))
		shorter += 1 if best < one - 0.1 else 0
		longer += 1 if best > one + 0.1 else 0
	check(shorter > 5, "one corridor is not always the best (%d of 100)" % shorter)
	check_equal(longer, 0, "more steps never make a path longer")
	server.map_set_search_budget(map, 7)
	check_equal(server.map_get_search_budget(map), 7, "the budget can be set")
	server.map_set_search_budget(map, usual)
	for obstacle in obstacles:
		server.free_rid(obstacle)


func obstacles_have_all_types() -> void:
	var obstacle := server.obstacle_create()
	server.obstacle_set_map(obstacle, map)
	server.obstacle_set_position(obstacle, Vector2(500, 300))
	server.obstacle_set_radius(obstacle, 50.0)
	check_near(server.map_get_clearance(map, Vector2(440, 300)), 10.0, 0.5, "a circle")
	server.obstacle_set_vertices(obstacle, make_box(Rect2(-50, -50, 100, 100)))
	check_near(server.map_get_clearance(map, Vector2(440, 340)), 10.0, 0.01, "a polygon")
	server.obstacle_set_type(obstacle, server.OBSTACLE_CHAIN)
	check_near(server.map_get_clearance(map, Vector2(490, 300)), 50.0, 0.01, "a chain is hollow")
	check_near(server.map_get_clearance(map, Vector2(440, 300)), 50.99, 0.01, "and open at its end")
	server.obstacle_set_type(obstacle, server.OBSTACLE_POINTS)
	check_near(server.map_get_clearance(map, Vector2(500, 250)), 50.0, 0.01, "points")
	server.obstacle_set_type(obstacle, server.OBSTACLE_WALKABLE)
	check_near(server.map_get_clearance(map, Vector2(500, 300)), 50.0, 0.01, "a walkable area")
	check_equal(server.map_get_clearance(map, Vector2(100, 100)), 0.0, "outside it nothing is free")
	check_equal(server.obstacle_get_type(obstacle), server.OBSTACLE_WALKABLE, "type")
	check_equal(server.obstacle_get_radius(obstacle), 50.0, "radius")
	check_equal(server.obstacle_get_position(obstacle), Vector2(500, 300), "position")
	check_equal(
		server.obstacle_get_vertices(obstacle), make_box(Rect2(-50, -50, 100, 100)), "vertices"
	)
	server.free_rid(obstacle)


func untyped_calls_are_the_same() -> void:
	var obstacle := make_obstacle(Rect2(400, 200, 200, 200))
	var untyped: Object = Engine.get_singleton("NavCorridorServer")
	var a := Vector2(50, 300)
	var b := Vector2(950, 300)
	check_equal(
		untyped.callv("map_get_path", [map, a, b, 12]), server.map_get_path(map, a, b, 12.0),
		"an int serves as a float"
	)
	check_equal(
		untyped.callv("map_get_path", [map, a, b]), server.map_get_path(map, a, b),
		"defaults are filled in"
	)
	check_equal(
		untyped.call("map_get_clearance", map, a), server.map_get_clearance(map, a), "call()"
	)
	var callable := Callable(untyped, "map_is_reachable").bind(a, b, 10.0)
	check_equal(callable.call(map), true, "a Callable")
	server.free_rid(obstacle)


# A typed call may get the storage of an earlier result: it must not be returned again.
func results_of_failed_calls_are_empty() -> void:
	var wall := make_obstacle(Rect2(480, -10, 40, 620))
	var sizes: Array[int] = []
	for target: Vector2 in [
		Vector2(100, 100), Vector2(900, 100), Vector2(100, 500), Vector2(900, 500)
	]:
		var path: PackedVector2Array = server.map_get_path(map, Vector2(50, 300), target, 5.0)
		var closest: Vector2 = server.map_get_closest_point(map, target, 5000.0)
		sizes.append(path.size())
		if closest != Vector2.ZERO:
			sizes.append(-1)
	check(
		sizes == [2, 0, 2, 0],
		"paths that do not exist are empty, also after one that does (%s)" % [sizes]
	)
	server.free_rid(wall)


func constants_have_their_values() -> void:
	check_equal(server.ROUTE_SHORTEST, 1, "ROUTE_SHORTEST")
	check_equal(server.OBSTACLE_WALKABLE, 3, "OBSTACLE_WALKABLE")
	check_equal(ClassDB.class_get_enum_list("NavCorridorServer", true).size(), 4, "four enums")
	check(not ClassDB.can_instantiate("NavCorridorServer"), "there is only one server")


func threads_may_ask_while_others_edit() -> void:
	var ask := func() -> int:
		var found := 0
		for i in 100:
			found += server.map_get_path(map, Vector2(50, 300), Vector2(950, 300), 10.0).size()
		return found
	var edit := func() -> int:
		for i in 50:
			var obstacle := make_obstacle(Rect2(300 + i, 200, 100, 200))
			server.map_force_update(map)
			server.free_rid(obstacle)
		return 1
	var threads: Array[Thread] = []
	for work: Callable in [ask, edit, ask]:
		var thread := Thread.new()
		thread.start(work)
		threads.append(thread)
	var total := 0
	for thread in threads:
		total += thread.wait_to_finish()
	check(total >= 401, "threads get their answers (%d)" % total)


func maps_and_obstacles_are_freed_in_any_order() -> void:
	var other := server.map_create()
	server.map_set_bounds(other, BOUNDS)
	var obstacle := server.obstacle_create()
	server.obstacle_set_vertices(obstacle, make_box(Rect2(400, 200, 200, 200)))
	server.obstacle_set_map(obstacle, other)
	server.map_force_update(other)
	server.free_rid(other)
	check_equal(server.obstacle_get_map(obstacle), RID(), "an obstacle survives its map")
	server.obstacle_set_map(obstacle, map)
	check_equal(server.map_get_clearance(map, Vector2(500, 300)), 0.0, "and can go to another one")
	server.free_rid(obstacle)
	var again := server.map_create()
	check(again != other, "a RID is not used again")
	server.free_rid(again)
