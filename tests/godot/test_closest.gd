# SPDX-License-Identifier: MIT
# The nearest free point is the nearest one: in corners, beside random obstacles and inside them,
# against a grid and a circle of points that are tried one by one.
extends "checker.gd"

const GRID_STEP := 5.0
const CIRCLE_STEPS := 360

# The guard of the map moves points by some thousandths, more in sharp corners.
const TOLERANCE := 0.05


func run() -> void:
	corners_are_found()
	random_rooms_agree_with_brute_force()
	await agents_walk_into_corners()


func corners_are_found() -> void:
	var map := server.map_create()
	server.map_set_bounds(map, BOUNDS)
	var expected: Dictionary[Vector2, Vector2] = {
		Vector2(2, 2): Vector2(10, 10),
		Vector2(9, 9): Vector2(10, 10),
		Vector2(5, 2): Vector2(10, 10),
		Vector2(998, 598): Vector2(990, 590),
		Vector2(-50, -50): Vector2(10, 10),
		Vector2(1000, 600): Vector2(990, 590),
		Vector2(2, 300): Vector2(10, 300),
		Vector2(500, 601): Vector2(500, 590),
		Vector2(500, 300): Vector2(500, 300),
	}
	for point in expected:
		var closest := server.map_get_closest_point(map, point, 10.0)
		check(
			closest.distance_to(expected[point]) <= TOLERANCE,
			"the closest point to %s is %s, found %s" % [point, expected[point], closest]
		)
	var path := server.map_get_path(map, Vector2(500, 300), Vector2(3, 3), 10.0)
	check(
		path.size() > 1 and path[-1].distance_to(Vector2(10, 10)) <= TOLERANCE,
		"a path to a corner ends in the corner"
	)
	server.free_rid(map)


func random_rooms_agree_with_brute_force() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 7
	for room in 4:
		var polygons := make_random_polygons(random, 7)
		var region := make_region(polygons)
		root.add_child(region)
		var radius := random.randf_range(5, 40)
		var free := make_free_grid(polygons, radius)
		var worst := -INF
		var least := INF
		var better := 0
		for i in 40:
			var point := Vector2(random.randf_range(-60, 1060), random.randf_range(-60, 660))
			if i < 16: # the corners of the obstacles are the corners that matter
				point = polygons[i % 7][i % polygons[i % 7].size()]
			var closest := server.map_get_closest_point(
				region.get_navigation_map(), point, radius
			)
			var distance := point.distance_to(closest)
			worst = maxf(worst, distance - find_grid_distance(free, point))
			least = minf(least, find_clearance(polygons, closest) - radius)
			better += count_closer(polygons, point, distance - TOLERANCE, radius)
		check(worst <= TOLERANCE, "room %d: no point of the grid is closer (%f)" % [room, worst])
		check(least >= -0.002, "room %d: the disc fits there (%f)" % [room, least])
		check_equal(better, 0, "room %d: it fits nowhere a little closer" % room)
		region.free()


func make_free_grid(polygons: Array[PackedVector2Array], radius: float) -> PackedVector2Array:
	var free := PackedVector2Array()
	for y in int(BOUNDS.size.y / GRID_STEP):
		for x in int(BOUNDS.size.x / GRID_STEP):
			var point := Vector2(x, y) * GRID_STEP
			if find_clearance(polygons, point) >= radius:
				free.append(point)
	return free


func find_grid_distance(free: PackedVector2Array, point: Vector2) -> float:
	var best := INF
	for other in free:
		best = minf(best, point.distance_squared_to(other))
	return sqrt(best)


# How many points at this distance have room for the disc.
func count_closer(
	polygons: Array[PackedVector2Array], point: Vector2, distance: float, radius: float
) -> int:
	if distance <= 0.0:
		return 0
	var count := 0
	for i in CIRCLE_STEPS:
		var other := point + Vector2.from_angle(TAU * i / CIRCLE_STEPS) * distance
		if find_clearance(polygons, other) >= radius:
			count += 1
	return count


func agents_walk_into_corners() -> void:
	var region := make_region([])
	root.add_child(region)
	var agent := make_agent(Vector2(900, 300), 10.0)
	agent.auto_move = true
	agent.max_speed = 2000.0
	root.add_child(agent.get_parent())
	agent.target_position = Vector2(4, 4)
	await wait_frames(60)
	var position: Vector2 = agent.get_parent().position
	check(
		position.distance_to(Vector2(10, 10)) <= agent.target_desired_distance + TOLERANCE,
		"an agent that is sent into a corner ends there (%s)" % position
	)
	check(agent.is_navigation_finished(), "and has finished")
	agent.get_parent().free()
	region.free()
