# SPDX-License-Identifier: MIT
# A region sees the shapes of its children where they are.
extends "checker.gd"

const FAR := Vector2(500, 300)


func run() -> void:
	polygons_of_all_kinds_count()
	colliders_of_all_kinds_count()
	other_nodes_do_not_count()
	transforms_are_followed()
	outlines_bound_the_region()
	await two_regions_serve_their_own_agents()
	layers_choose_the_region()
	await a_region_that_moves_is_baked_again()


# How far the point is from a node that is put below a fresh region.
func measure(node: Node, point: Vector2, region := CorridorRegion2D.new()) -> float:
	region.bounds = BOUNDS
	region.add_child(node)
	root.add_child(region)
	var clearance := server.map_get_clearance(region.get_navigation_map(), point)
	region.free()
	return clearance


func make_body(shape: Shape2D, position: Vector2) -> StaticBody2D:
	var body := StaticBody2D.new()
	var node := CollisionShape2D.new()
	node.shape = shape
	node.position = position
	body.add_child(node)
	return body


func polygons_of_all_kinds_count() -> void:
	var box := make_box(Rect2(400, 200, 100, 100))
	check_near(measure(make_polygon(box), Vector2(390, 250)), 10.0, 0.01, "a Polygon2D blocks")
	box.reverse()
	check_near(measure(make_polygon(box), Vector2(390, 250)), 10.0, 0.01, "in either direction")
	check_equal(measure(make_polygon(box), Vector2(450, 250)), 0.0, "its inside is not free")

	var moved := make_polygon(box)
	moved.offset = Vector2(20, 0)
	check_near(measure(moved, Vector2(390, 250)), 30.0, 0.01, "with its offset")

	var parts := make_polygon(
		PackedVector2Array(
			[
				Vector2(400, 200),
				Vector2(450, 200),
				Vector2(450, 250),
				Vector2(600, 400),
				Vector2(650, 400),
				Vector2(650, 450)
			]
		)
	)
	parts.polygons = [PackedInt32Array([0, 1, 2]), PackedInt32Array([3, 4, 5])]
	check_near(measure(parts, Vector2(660, 425)), 10.0, 0.01, "with several parts")

	var inner := make_polygon(
		make_box(Rect2(400, 200, 100, 100)) + PackedVector2Array([Vector2(700, 250)])
	)
	inner.internal_vertex_count = 1
	check_near(measure(inner, Vector2(600, 250)), 100.0, 0.01, "without its inner vertices")
	check(measure(make_polygon(PackedVector2Array()), FAR) > 100.0, "an empty one blocks nothing")


func colliders_of_all_kinds_count() -> void:
	var rectangle := RectangleShape2D.new()
	rectangle.size = Vector2(100, 60)
	check_near(
		measure(make_body(rectangle, FAR), Vector2(440, 300)),
		10.0,
		0.01,
		"a RectangleShape2D blocks"
	)

	var circle := CircleShape2D.new()
	circle.radius = 50.0
	check_near(
		measure(make_body(circle, FAR), Vector2(440, 300)), 10.0, 0.5, "a CircleShape2D blocks"
	)
	check(measure(make_body(circle, FAR), Vector2(440, 300)) <= 10.0, "and is not made smaller")

	var capsule := CapsuleShape2D.new()
	capsule.radius = 20.0
	capsule.height = 120.0
	check_near(
		measure(make_body(capsule, FAR), Vector2(470, 300)), 10.0, 0.2, "a CapsuleShape2D blocks"
	)
	check_near(measure(make_body(capsule, FAR), Vector2(500, 230)), 10.0, 0.2, "up to its end")

	var convex := ConvexPolygonShape2D.new()
	convex.points = make_box(Rect2(-50, -50, 100, 100))
	check_near(
		measure(make_body(convex, FAR), Vector2(440, 300)),
		10.0,
		0.01,
		"a ConvexPolygonShape2D blocks"
	)

	var segment := SegmentShape2D.new()
	segment.a = Vector2(-50, 0)
	segment.b = Vector2(50, 0)
	check_near(
		measure(make_body(segment, FAR), Vector2(500, 290)), 10.0, 0.01, "a SegmentShape2D blocks"
	)

	var concave := ConcavePolygonShape2D.new()
	concave.segments = PackedVector2Array(
		[Vector2(-50, 0), Vector2(50, 0), Vector2(0, 20), Vector2(0, 90)]
	)
	check_near(
		measure(make_body(concave, FAR), Vector2(490, 350)),
		10.0,
		0.01,
		"a ConcavePolygonShape2D blocks"
	)

	var polygon := CollisionPolygon2D.new()
	polygon.polygon = make_box(Rect2(400, 200, 200, 200))
	var body := StaticBody2D.new()
	body.add_child(polygon)
	check_equal(measure(body, FAR), 0.0, "a CollisionPolygon2D blocks")
	polygon = CollisionPolygon2D.new()
	polygon.polygon = make_box(Rect2(400, 200, 200, 200))
	polygon.build_mode = CollisionPolygon2D.BUILD_SEGMENTS
	body = StaticBody2D.new()
	body.add_child(polygon)
	check_near(measure(body, FAR), 100.0, 0.01, "one of segments is hollow")


func other_nodes_do_not_count() -> void:
	var rectangle := RectangleShape2D.new()
	rectangle.size = Vector2(100, 60)
	var area := Area2D.new()
	var shape := CollisionShape2D.new()
	shape.shape = rectangle
	shape.position = FAR
	area.add_child(shape)
	check_near(measure(area, FAR), 300.0, 0.01, "an Area2D blocks nothing")

	var body := make_body(rectangle, FAR)
	body.get_child(0).disabled = true
	check_near(measure(body, FAR), 300.0, 0.01, "a disabled shape blocks nothing")

	body = make_body(null, FAR)
	check_near(measure(body, FAR), 300.0, 0.01, "a shape that is missing blocks nothing")

	var region := CorridorRegion2D.new()
	region.parsed_collision_mask = 2
	check_near(
		measure(make_body(rectangle, FAR), FAR, region), 300.0, 0.01, "another layer blocks nothing"
	)

	region = CorridorRegion2D.new()
	region.parsed_geometry_type = CorridorRegion2D.PARSED_GEOMETRY_POLYGONS
	check_near(
		measure(make_body(rectangle, FAR), FAR, region), 300.0, 0.01, "colliders can be left out"
	)

	region = CorridorRegion2D.new()
	region.parsed_geometry_type = CorridorRegion2D.PARSED_GEOMETRY_STATIC_COLLIDERS
	var polygon := make_polygon(make_box(Rect2(400, 200, 200, 200)))
	check_near(measure(polygon, FAR, region), 300.0, 0.01, "polygons can be left out")

	var inner := make_region([make_box(Rect2(400, 200, 200, 200))])
	check_near(measure(inner, FAR), 300.0, 0.01, "what belongs to an inner region is left out")


func transforms_are_followed() -> void:
	var parent := Node2D.new()
	parent.position = Vector2(100, 0)
	parent.scale = Vector2(2, 1)
	var child := make_polygon(make_box(Rect2(0, 0, 100, 100)))
	child.position = Vector2(100, 200)
	parent.add_child(child)
	check_near(measure(parent, Vector2(290, 250)), 10.0, 0.01, "parents move and scale a polygon")

	var turned := make_polygon(make_box(Rect2(-50, -50, 100, 100)))
	turned.position = FAR
	turned.rotation = PI / 4.0
	check_near(measure(turned, FAR - Vector2(80, 0)), 80.0 - 50.0 * sqrt(2.0), 0.01, "it turns")

	var plain := Node.new()
	var far := Node2D.new()
	far.position = Vector2(1000, 1000)
	far.add_child(plain)
	plain.add_child(make_polygon(make_box(Rect2(400, 200, 100, 100))))
	check_near(
		measure(far, Vector2(390, 250)), 10.0, 0.01, "a plain Node ends the chain of transforms"
	)

	var region := CorridorRegion2D.new()
	region.position = Vector2(200, 0)
	region.add_child(make_polygon(make_box(Rect2(400, 200, 100, 100))))
	check_near(
		measure(Node2D.new(), Vector2(590, 250), region), 10.0, 0.01, "the region moves them all"
	)


func outlines_bound_the_region() -> void:
	var region := CorridorRegion2D.new()
	region.outline = PackedVector2Array([Vector2(0, 0), Vector2(400, 0), Vector2(0, 400)])
	var map := region.get_navigation_map()
	root.add_child(region)
	check_near(
		server.map_get_clearance(map, Vector2(50, 60)), 50.0, 0.01, "inside an outline is free"
	)
	check_equal(server.map_get_clearance(map, Vector2(300, 300)), 0.0, "outside is not")
	check_equal(
		server.map_is_reachable(map, Vector2(50, 50), Vector2(300, 300)), false, "nor reachable"
	)
	region.rotation = PI / 2.0
	region.bake_corridor_map(false)
	check_near(
		server.map_get_clearance(map, Vector2(-50, 60)), 50.0, 0.01, "it turns with the region"
	)
	region.free()


func two_regions_serve_their_own_agents() -> void:
	var left := make_region([])
	var right := make_region([make_box(Rect2(450, 0, 100, 500))])
	right.position = Vector2(2000, 0)
	root.add_child(left)
	root.add_child(right)
	var lengths: Array[float] = []
	for offset: float in [0.0, 2000.0]:
		var agent := make_agent(Vector2(offset + 100, 100), 10.0)
		root.add_child(agent.get_parent())
		agent.target_position = Vector2(offset + 900, 100)
		agent.get_next_path_position()
		lengths.append(agent.get_path_length())
		check_equal(
			agent.get_navigation_map(),
			left.get_navigation_map() if offset == 0.0 else right.get_navigation_map(),
			"an agent uses the region around it"
		)
		agent.get_parent().queue_free()
	check_near(lengths[0], 800.0, 0.1, "the left agent walks straight")
	check(lengths[1] > 1000.0, "the right one goes around")
	right.enabled = false
	check_equal(
		server.map_is_active(right.get_navigation_map()), false, "a region can be disabled"
	)
	left.free()
	right.free()
	await process_frame


func layers_choose_the_region() -> void:
	var land := make_region([make_box(Rect2(400, 200, 200, 200))])
	var water := make_region([])
	water.navigation_layers = 2
	root.add_child(land)
	root.add_child(water)
	var agent := make_agent(Vector2(100, 100), 10.0)
	root.add_child(agent.get_parent())
	check_equal(agent.get_navigation_map(), land.get_navigation_map(), "people find the land")
	agent.navigation_layers = 2
	check_equal(agent.get_navigation_map(), water.get_navigation_map(), "boats find the water")
	agent.set_navigation_layer_value(2, false)
	agent.set_navigation_layer_value(3, true)
	check_equal(agent.navigation_layers, 4, "layers are set one by one")
	check(agent.get_navigation_layer_value(3), "and read")
	check_equal(agent.get_navigation_map(), RID(), "a layer that nobody has is no map")
	server.map_set_navigation_layers(land.get_navigation_map(), 4)
	check_equal(agent.get_navigation_map(), land.get_navigation_map(), "the server sets them, too")
	check_equal(server.map_get_navigation_layers(land.get_navigation_map()), 4, "and reads them")
	for node: Node in [land, water, agent.get_parent()]:
		node.free()


func a_region_that_moves_is_baked_again() -> void:
	var region := make_region([make_box(Rect2(400, 200, 100, 100))])
	root.add_child(region)
	await wait_frames(2)
	region.position = Vector2(100, 0)
	await wait_frames(2)
	check_near(
		server.map_get_clearance(region.get_navigation_map(), Vector2(490, 250)), 10.0, 0.01,
		"the map follows a region that moves"
	)
	root.remove_child(region)
	check_equal(
		server.map_is_active(region.get_navigation_map()),
		false,
		"outside the tree it is not active"
	)
	root.add_child(region)
	check_equal(
		server.map_is_active(region.get_navigation_map()), true, "back in the tree it is"
	)
	region.free()

