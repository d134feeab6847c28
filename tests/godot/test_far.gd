# SPDX-License-Identifier: MIT
# mistakes: expected
# Obstacles that reach far out of a map block inside of it, and what the server knows about an
# obstacle is what the map has, also after a shape was refused.
extends "checker.gd"

var map: RID


func run() -> void:
	map = server.map_create()
	server.map_set_bounds(map, BOUNDS)
	far_polygons_block_inside()
	far_chains_and_points_block_inside()
	walkable_areas_may_be_elsewhere()
	random_stars_agree_with_brute_force()
	refused_shapes_change_nothing()
	bounds_that_cannot_be_built_leave_the_old_map()
	await far_nodes_block_inside()
	check(errors.take().is_empty(), "nothing but the mistakes was reported")
	server.free_rid(map)


func make_obstacle(points: PackedVector2Array, type: int) -> RID:
	var obstacle := server.obstacle_create()
	server.obstacle_set_type(obstacle, type)
	server.obstacle_set_vertices(obstacle, points)
	server.obstacle_set_map(obstacle, map)
	return obstacle


func far_polygons_block_inside() -> void:
	var river := make_obstacle(make_box(Rect2(-1e6, 250, 1e8, 100)), server.OBSTACLE_POLYGON)
	check_equal(server.map_get_clearance(map, Vector2(500, 300)), 0.0, "a river blocks")
	check_near(server.map_get_clearance(map, Vector2(500, 230)), 20.0, 0.01, "its bank is right")
	check(
		server.map_get_path(map, Vector2(500, 100), Vector2(500, 500), 1.0).is_empty(),
		"there is no way around its end"
	)
	check_equal(
		server.obstacle_get_vertices(river), make_box(Rect2(-1e6, 250, 1e8, 100)),
		"its vertices are what was set"
	)
	server.obstacle_set_position(river, Vector2(0, 1e6))
	check_near(server.map_get_clearance(map, Vector2(500, 300)), 300.0, 0.01, "it can go far away")
	server.obstacle_set_position(river, Vector2(0, 100))
	check_equal(server.map_get_clearance(map, Vector2(500, 400)), 0.0, "and come back")
	# A comb whose back is far outside and whose teeth reach in: three pieces of one polygon.
	var comb := PackedVector2Array([Vector2(1000, 90000), Vector2(0, 90000)])
	for x: float in [100, 400, 700]:
		comb.append_array([Vector2(x, 50000), Vector2(x, 200), Vector2(x + 100, 200)])
		comb.append(Vector2(x + 100, 50000))
	server.obstacle_set_position(river, Vector2.ZERO)
	server.obstacle_set_vertices(river, comb)
	for x: float in [150, 450, 750]:
		check_equal(server.map_get_clearance(map, Vector2(x, 400)), 0.0, "a tooth at %d" % x)
	check_near(server.map_get_clearance(map, Vector2(300, 590)), 10.0, 0.01, "gaps end at the wall")
	check_near(server.map_get_clearance(map, Vector2(300, 400)), 100.0, 0.01, "between two teeth")
	server.free_rid(river)


func far_chains_and_points_block_inside() -> void:
	var zigzag := PackedVector2Array(
		[Vector2(-5e5, 200), Vector2(5e5, 200), Vector2(5e5, 400), Vector2(-5e5, 400)]
	)
	var chain := make_obstacle(zigzag, server.OBSTACLE_CHAIN)
	check_near(server.map_get_clearance(map, Vector2(990, 300)), 10.0, 0.01, "between two pieces")
	check_near(server.map_get_clearance(map, Vector2(10, 300)), 10.0, 0.01, "and at the open end")
	check_near(server.map_get_clearance(map, Vector2(500, 150)), 50.0, 0.01, "the first piece")
	check_near(server.map_get_clearance(map, Vector2(500, 430)), 30.0, 0.01, "the second piece")
	server.obstacle_set_vertices(chain, PackedVector2Array([Vector2(2e5, 0), Vector2(2e5, 600)]))
	check_near(server.map_get_clearance(map, Vector2(500, 300)), 300.0, 0.01, "one that is outside")
	server.obstacle_set_type(chain, server.OBSTACLE_POINTS)
	server.obstacle_set_vertices(chain, PackedVector2Array([Vector2(1e8, 0), Vector2(500, 300)]))
	check_near(server.map_get_clearance(map, Vector2(500, 280)), 20.0, 0.01, "points")
	server.free_rid(chain)


func walkable_areas_may_be_elsewhere() -> void:
	var area := make_obstacle(make_box(Rect2(-1e7, 100, 2e7, 200)), server.OBSTACLE_WALKABLE)
	check_near(server.map_get_clearance(map, Vector2(500, 200)), 100.0, 0.01, "a far walkable area")
	check_equal(server.map_get_clearance(map, Vector2(500, 400)), 0.0, "bounds what is free")
	server.obstacle_set_position(area, Vector2(0, 1e6))
	check_equal(server.map_get_clearance(map, Vector2(500, 200)), 0.0, "elsewhere: nothing is free")
	server.free_rid(area)
	check_near(server.map_get_clearance(map, Vector2(500, 200)), 200.0, 0.01, "gone: all is free")


# Concave polygons that leave the map many times.
func random_stars_agree_with_brute_force() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 3
	var worst := 0.0
	var blocked := 0
	for i in 40:
		var center := Vector2(random.randf_range(0, 1000), random.randf_range(0, 600))
		var star := PackedVector2Array()
		for k in 24:
			var reach := random.randf_range(40, 200) if k % 2 == 0 else random.randf_range(200, 2e5)
			star.append(center + Vector2.from_angle(TAU * k / 24) * reach)
		var polygons: Array[PackedVector2Array] = [star]
		var obstacle := make_obstacle(star, server.OBSTACLE_POLYGON)
		for k in 50:
			var point := Vector2(random.randf_range(1, 999), random.randf_range(1, 599))
			var expected := maxf(find_clearance(polygons, point), 0.0)
			var found := server.map_get_clearance(map, point)
			worst = maxf(worst, absf(found - expected))
			blocked += int(expected == 0.0)
		server.free_rid(obstacle)
	check(blocked > 100 and blocked < 1900, "the stars cover a part of the map (%d)" % blocked)
	check(worst <= 0.05, "clearances beside far stars are right (%f)" % worst)


func refused_shapes_change_nothing() -> void:
	errors.take()
	var box := make_box(Rect2(400, 200, 200, 200))
	var obstacle := make_obstacle(box, server.OBSTACLE_POLYGON)
	var pair := PackedVector2Array([Vector2(1, 1), Vector2(9, 1), Vector2(1, 1)])
	for is_built: bool in [false, true]:
		if is_built:
			server.map_force_update(map)
		server.obstacle_set_vertices(obstacle, pair)
		check_named("obstacle_set_vertices(): the obstacle stays as it was")
		check_equal(server.obstacle_get_vertices(obstacle), box, "it keeps its vertices")
		check_near(server.map_get_clearance(map, Vector2(390, 300)), 10.0, 0.01, "and so the map")
	server.obstacle_set_vertices(obstacle, PackedVector2Array([Vector2(NAN, 0)]))
	check_named("within 1e+09 units of the origin")
	check_equal(server.obstacle_get_vertices(obstacle), box, "also when a vertex is no number")
	server.map_set_bounds(map, BOUNDS.grow_side(SIDE_BOTTOM, 1))
	check_near(server.map_get_clearance(map, Vector2(390, 300)), 10.0, 0.01, "with other bounds too")
	server.map_set_bounds(map, BOUNDS)
	server.obstacle_set_type(obstacle, server.OBSTACLE_CHAIN)
	server.obstacle_set_vertices(obstacle, pair)
	check_near(server.map_get_clearance(map, Vector2(5, 2)), 1.0, 0.01, "a chain may be that short")
	server.obstacle_set_type(obstacle, server.OBSTACLE_POLYGON)
	check_named("obstacle_set_type(): the obstacle stays as it was")
	check_equal(server.obstacle_get_type(obstacle), server.OBSTACLE_CHAIN, "it keeps its type")
	server.obstacle_set_map(obstacle, RID())
	server.obstacle_set_type(obstacle, server.OBSTACLE_POLYGON)
	check(errors.take().is_empty(), "without a map it may be anything")
	server.obstacle_set_map(obstacle, map)
	check_named("obstacle_set_map(): the obstacle stays as it was")
	check_equal(server.obstacle_get_map(obstacle), RID(), "but it does not get into one")
	server.free_rid(obstacle)


# Less than one step of the map's grid.
func bounds_that_cannot_be_built_leave_the_old_map() -> void:
	var obstacle := make_obstacle(make_box(Rect2(400, 200, 200, 200)), server.OBSTACLE_POLYGON)
	server.map_force_update(map)
	server.map_set_bounds(map, Rect2(0.1, 0.1, 0.00001, 0.00001))
	check_near(server.map_get_clearance(map, Vector2(390, 300)), 10.0, 0.01, "the old map answers")
	check_named("The map's bounds cannot be used")
	server.map_set_bounds(map, BOUNDS)
	server.obstacle_set_position(obstacle, Vector2(50, 0))
	check_near(server.map_get_clearance(map, Vector2(390, 300)), 60.0, 0.01, "and can be edited")
	server.free_rid(obstacle)
	check_near(server.map_get_clearance(map, Vector2(500, 300)), 300.0, 0.01, "and emptied")


func check_named(words: String) -> void:
	var texts := errors.take()
	check(texts.size() == 1 and texts[0].contains(words), "'%s' in %s" % [words, texts])


func far_nodes_block_inside() -> void:
	var region := make_region([make_box(Rect2(-100, 250, 40000, 100))])
	root.add_child(region)
	await wait_frames(2)
	check_equal(
		server.map_get_clearance(region.get_navigation_map(), Vector2(500, 300)), 0.0,
		"a Polygon2D that reaches far out of its region blocks"
	)
	var thin := make_polygon(PackedVector2Array([Vector2(1, 1), Vector2(5, 5)]))
	thin.name = "Fence"
	region.add_child(thin)
	region.bake_corridor_map(false)
	check_named("Fence: ")
	check_near(
		server.map_get_clearance(region.get_navigation_map(), Vector2(500, 230)), 20.0, 0.01,
		"a node that cannot block is named, and the others block"
	)
	region.free()
