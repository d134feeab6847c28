# SPDX-License-Identifier: MIT
# mistakes: expected
# A region in space sees what stands on its floor, between the knees and the head of a walker.
extends "checker.gd"

const CELL := 0.05
const FLOOR := AABB(Vector3(-10, -0.2, -10), Vector3(20, 0.2, 20))


func run() -> void:
	colliders_of_all_kinds_count()
	meshes_count()
	await csg_and_grid_maps_count()
	what_is_low_or_high_does_not_count()
	slopes_are_floor_or_wall()
	floors_end_where_they_end()
	groups_and_masks_choose()
	moving_bodies_do_not_count()
	turned_regions_work()
	await bakes_are_saved_and_loaded()
	await bakes_run_on_threads()
	both_devices_give_the_same_map()
	await agents_walk_in_it()
	await storeys_have_their_own_maps()
	await obstacles_and_terrain_change_it()
	mistakes_are_named()


# ---- Levels


func make_box_shape(size: Vector3) -> BoxShape3D:
	var shape := BoxShape3D.new()
	shape.size = size
	return shape


func make_body(shape: Shape3D, position: Vector3) -> StaticBody3D:
	var body := StaticBody3D.new()
	var node := CollisionShape3D.new()
	node.shape = shape
	body.add_child(node)
	body.position = position
	return body


func make_box_body(box: AABB) -> StaticBody3D:
	return make_body(make_box_shape(box.size), box.get_center())


func make_mesh(mesh: Mesh, position: Vector3) -> MeshInstance3D:
	var node := MeshInstance3D.new()
	node.mesh = mesh
	node.position = position
	return node


func make_room(nodes: Array[Node] = [], has_floor := true) -> CorridorRegion3D:
	var region := CorridorRegion3D.new()
	region.cell_size = CELL
	if has_floor:
		region.add_child(make_box_body(FLOOR))
	for node in nodes:
		region.add_child(node)
	return region


func clearance(region: CorridorRegion3D, x: float, z: float) -> float:
	return server.map_get_clearance(region.get_navigation_map(), Vector2(x, z))


# How far the place is from what was put into a fresh room.
func measure(node: Node, x: float, z: float) -> float:
	var region := make_room([node])
	root.add_child(region)
	var result := clearance(region, x, z)
	region.free()
	return result


# It may stand out by its cells, but must not be smaller.
func check_wall(node: Node, x: float, z: float, expected: float, name: String) -> void:
	var actual := measure(node, x, z)
	check(
		actual <= expected + 0.5 * CELL and actual >= expected - 2.0 * CELL,
		"%s (%f, %f expected)" % [name, actual, expected]
	)


# ---- Sources


func colliders_of_all_kinds_count() -> void:
	var body := make_box_body(AABB(Vector3(-1, 0, -1), Vector3(2, 2, 2)))
	check_wall(body, 3, 0, 2.0, "a BoxShape3D blocks")
	var turned := make_box_body(AABB(Vector3(-1, 0, -1), Vector3(2, 2, 2)))
	turned.rotation.y = PI / 4
	check_wall(turned, 3, 0, 3.0 - sqrt(2.0), "a turned box blocks where its corner is")
	check_wall(
		make_box_body(AABB(Vector3(-1, 0, -1), Vector3(2, 2, 2))), 0, 0, 0.0, "its inside is not free"
	)
	var sphere := SphereShape3D.new()
	sphere.radius = 1.0
	check_wall(make_body(sphere, Vector3(0, 1, 0)), 3, 0, 2.0, "a SphereShape3D blocks")
	var cylinder := CylinderShape3D.new()
	cylinder.radius = 1.0
	cylinder.height = 2.0
	check_wall(make_body(cylinder, Vector3(0, 1, 0)), 0, 3, 2.0, "a CylinderShape3D blocks")
	var capsule := CapsuleShape3D.new()
	capsule.radius = 0.5
	capsule.height = 2.0
	check_wall(make_body(capsule, Vector3(0, 1, 0)), 2, 0, 1.5, "a CapsuleShape3D blocks")
	var convex := ConvexPolygonShape3D.new()
	convex.points = PackedVector3Array(
		[
			Vector3(-1, 0, -1), Vector3(1, 0, -1), Vector3(1, 0, 1), Vector3(-1, 0, 1),
			Vector3(-1, 2, -1), Vector3(1, 2, -1), Vector3(1, 2, 1), Vector3(-1, 2, 1),
			Vector3(0, 1, 0), Vector3(0.5, 1, 0.5)
		]
	)
	check_wall(make_body(convex, Vector3.ZERO), 3, 0, 2.0, "a ConvexPolygonShape3D blocks")
	var concave := ConcavePolygonShape3D.new()
	concave.set_faces(
		PackedVector3Array([Vector3(0, 0, -2), Vector3(0, 2, -2), Vector3(0, 0, 2)])
	)
	check_wall(make_body(concave, Vector3.ZERO), 1, -2, 1.0, "a ConcavePolygonShape3D blocks")
	var height_map := HeightMapShape3D.new()
	height_map.map_width = 3
	height_map.map_depth = 3
	height_map.map_data = PackedFloat32Array([0, 0, 0, 0, 3, 0, 0, 0, 0])
	check_wall(
		make_body(height_map, Vector3.ZERO), 3, 0, 2.0 + 0.25 / 3.0, "a HeightMapShape3D blocks where it is steep"
	)
	var polygon := CollisionPolygon3D.new()
	polygon.polygon = make_box(Rect2(-1, 0, 2, 2))
	polygon.depth = 1.0
	var walls := StaticBody3D.new()
	walls.add_child(polygon)
	check_wall(walls, 0, 2, 1.5, "a CollisionPolygon3D blocks")
	var boundary := WorldBoundaryShape3D.new()
	var region := make_room([make_body(boundary, Vector3.ZERO)], false)
	root.add_child(region)
	check_near(clearance(region, 0, 0), 10.0, 0.1, "a WorldBoundaryShape3D is floor")
	region.free()


func meshes_count() -> void:
	var box := BoxMesh.new()
	box.size = Vector3(2, 2, 2)
	check_wall(make_mesh(box, Vector3(0, 1, 0)), 3, 0, 2.0, "a MeshInstance3D blocks")
	var scaled := make_mesh(box, Vector3(0, 1, 0))
	scaled.scale = Vector3(2, 1, 1)
	check_wall(scaled, 4, 0, 2.0, "with its scale")
	check_wall(make_mesh(box, Vector3(0, 1, 0)), 0, 0, 0.0, "its inside is not free")
	var mirrored := make_mesh(box, Vector3(0, 1, 0))
	mirrored.scale = Vector3(-1, 1, 1)
	check_wall(mirrored, 0, 0, 0.0, "nor that of a mirrored one")
	var room := BoxMesh.new()
	room.size = Vector3(10, 6, 10)
	room.flip_faces = true
	check(measure(make_mesh(room, Vector3(0, 2.9, 0)), 0, 0) > 4.5, "the inside of a room is free")
	var region := make_room([make_mesh(box, Vector3(0, 1, 0))])
	region.parsed_geometry_type = CorridorRegion3D.PARSED_GEOMETRY_STATIC_COLLIDERS
	root.add_child(region)
	check(clearance(region, 0, 0) > 9.0, "meshes can be left out")
	region.free()


func csg_and_grid_maps_count() -> void:
	var csg := CSGBox3D.new()
	csg.size = Vector3(2, 2, 2)
	csg.position.y = 1.0
	var hole := CSGBox3D.new()
	hole.size = Vector3(1, 3, 3)
	hole.operation = CSGShape3D.OPERATION_SUBTRACTION
	csg.add_child(hole)
	var region := make_room([csg])
	root.add_child(region)
	check_near(clearance(region, 3, 0), 2.0, 2.0 * CELL, "a CSG node blocks")
	check_near(clearance(region, 0, 0), 0.5, 2.0 * CELL, "and its holes do not")
	region.free()

	var library := MeshLibrary.new()
	library.create_item(0)
	var mesh := BoxMesh.new()
	mesh.size = Vector3(2, 2, 2)
	library.set_item_mesh(0, mesh)
	library.create_item(1)
	library.set_item_shapes(1, [make_box_shape(Vector3(2, 2, 2)), Transform3D()])
	var grid := GridMap.new()
	grid.mesh_library = library
	grid.cell_size = Vector3(2, 2, 2)
	grid.set_cell_item(Vector3i(0, 0, 0), 0) # from (0, 0, 0) to (2, 2, 2)
	grid.set_cell_item(Vector3i(-3, 0, 0), 1) # from (-6, 0, 0) to (-4, 2, 2)
	region = make_room([grid])
	root.add_child(region)
	await wait_frames(2)
	region.bake_corridor_map(false)
	check_near(clearance(region, 3, 1), 1.0, 2.0 * CELL, "the meshes of a GridMap block")
	check_near(clearance(region, -3, 1), 1.0, 2.0 * CELL, "and so do its shapes")
	region.free()


func what_is_low_or_high_does_not_count() -> void:
	check(
		measure(make_box_body(AABB(Vector3(-1, 0, -1), Vector3(2, 0.2, 2))), 0, 0) > 9.0,
		"a step is stepped over"
	)
	check(
		measure(make_box_body(AABB(Vector3(-1, 1.9, -1), Vector3(2, 1, 2))), 0, 0) > 9.0,
		"a lintel is walked under"
	)
	check_wall(
		make_box_body(AABB(Vector3(-1, 1.5, -1), Vector3(2, 1, 2))), 0, 0, 0.0, "a low one is not"
	)
	check_wall(
		make_box_body(AABB(Vector3(-1, 0.7, -1), Vector3(2, 0.05, 2))), 0, 0, 0.0, "a table blocks"
	)


func slopes_are_floor_or_wall() -> void:
	for is_steep: bool in [false, true]:
		var prism := PrismMesh.new()
		prism.left_to_right = 1.0 # rises towards +x
		prism.size = Vector3(1.0 if is_steep else 4.0, 2, 4)
		var region := make_room([make_mesh(prism, Vector3(0, 1, 0))])
		region.max_floor_rise = 2.0
		region.bounds = AABB(Vector3(-10, -1, -10), Vector3(20, 6, 20))
		root.add_child(region)
		var x := 0.25 if is_steep else 1.0
		if is_steep:
			check_equal(clearance(region, x, 0), 0.0, "a steep slope is a wall")
		else:
			check(clearance(region, x, 0) > 0.5, "a ramp is floor (%f)" % clearance(region, x, 0))
			check_equal(clearance(region, 2, 0), 0.0, "and ends in a wall")
		region.free()


func floors_end_where_they_end() -> void:
	var half := make_box_body(AABB(Vector3(-10, -0.2, -10), Vector3(10, 0.2, 20)))
	var region := make_room([half], false)
	root.add_child(region)
	check_near(clearance(region, -2, 0), 2.0, 2.0 * CELL, "without floor nobody walks")
	check_equal(clearance(region, 2, 0), 0.0, "beside it nothing is free")
	region.needs_floor = false
	region.bake_corridor_map(false)
	check(clearance(region, 2, 0) > 7.0, "unless the floor is taken for granted")
	region.free()


func groups_and_masks_choose() -> void:
	var box := AABB(Vector3(-1, 0, -1), Vector3(2, 2, 2))
	var outside := make_box_body(box)
	outside.add_to_group("corridor_map_source_geometry_group")
	outside.collision_layer = 2
	root.add_child(outside)
	var region := make_room()
	root.add_child(region)
	check(clearance(region, 0, 0) > 9.0, "what is not below the region does not count")
	region.needs_floor = false
	region.source_geometry_mode = CorridorRegion3D.SOURCE_GEOMETRY_GROUPS_WITH_CHILDREN
	region.bake_corridor_map(false)
	check_equal(clearance(region, 0, 0), 0.0, "in the group it does")
	region.parsed_collision_mask = 1
	region.bake_corridor_map(false)
	check(clearance(region, 0, 0) > 9.0, "in a layer that is masked it does not")
	region.free()
	outside.free()


func moving_bodies_do_not_count() -> void:
	var body := CharacterBody3D.new()
	var box := BoxMesh.new()
	body.add_child(make_mesh(box, Vector3(0, 0.5, 0)))
	check(measure(body, 0, 0) > 9.0, "the mesh of a character is no wall")


func turned_regions_work() -> void:
	var region := make_room([make_box_body(AABB(Vector3(4, 0, -1), Vector3(2, 2, 2)))])
	region.rotation.y = -PI / 4 # local x points to (1, 1)
	region.position = Vector3(100, 5, 0)
	root.add_child(region)
	var far := 4.0 / sqrt(2.0)
	check_near(clearance(region, 100, 0), 4.0, 2.0 * CELL, "a turned region is measured in the world")
	check_equal(clearance(region, 100 + 5.0 / sqrt(2.0), 5.0 / sqrt(2.0)), 0.0, "with its boxes")
	check(clearance(region, 100 - far, far) > 3.0, "and free where it is free")
	check_equal(clearance(region, 100 + 12, 12), 0.0, "outside of its bounds nothing is free")
	region.free()


# ---- Bakes


func make_office() -> CorridorRegion3D:
	return make_room(
		[
			make_box_body(AABB(Vector3(-0.1, 0, -10), Vector3(0.2, 2.5, 8))),
			make_box_body(AABB(Vector3(-0.1, 0, -0.5), Vector3(0.2, 2.5, 10.5))),
			make_box_body(AABB(Vector3(-6, 0, 3), Vector3(3, 0.8, 1.5)))
		]
	)


func bakes_are_saved_and_loaded() -> void:
	var region := make_office()
	root.add_child(region)
	check(not region.is_baked(), "a region in the tree has a map without a bake")
	var before := clearance(region, 4, 4)
	check(before > 1.0, "that answers at once (%f)" % before)
	region.bake_corridor_map(false)
	check(region.is_baked() and not region.is_bake_stale(), "it is baked")
	check_equal(clearance(region, 4, 4), before, "and says the same")
	check_equal(ResourceSaver.save(region.corridor_map, "res://office.res"), OK, "it is saved")
	region.free()
	var data: CorridorMapData = ResourceLoader.load("res://office.res")
	var bare := CorridorRegion3D.new()
	bare.cell_size = CELL
	bare.corridor_map = data
	root.add_child(bare)
	check(bare.is_baked(), "a region without sources loads it")
	check_equal(clearance(bare, 4, 4), before, "with the same answers")
	check(bare.is_bake_stale(), "and knows that its sources are others")
	bare.bounds = AABB(Vector3(-5, -1, -5), Vector3(10, 4, 10))
	await wait_frames(2)
	check(not bare.is_baked(), "data for another place is not used")
	bare.free()
	DirAccess.remove_absolute("res://office.res")


func bakes_run_on_threads() -> void:
	var region := make_office()
	root.add_child(region)
	var signals := []
	region.bake_finished.connect(func() -> void: signals.append(region.get_bake_progress()))
	region.bake_corridor_map()
	check(region.is_baking(), "a bake runs on a thread")
	await wait_for_threads(func() -> bool: return region.is_baking())
	check_equal(signals, [1.0], "and ends with one signal")
	check(region.is_baked(), "with a map")
	region.bake_corridor_map()
	region.free()
	await wait_frames(3)
	check(true, "a region may be freed while it is baked")


func both_devices_give_the_same_map() -> void:
	var setting := "navigation/nav_corridor/baking/use_vulkan"
	check_equal(ProjectSettings.get_setting(setting), 1, "Vulkan is used when it pays")
	var axes: Array[PackedVector2Array] = []
	for device: int in [0, 2]:
		ProjectSettings.set_setting(setting, device)
		var region := make_office()
		root.add_child(region)
		axes.append(server.map_get_medial_axis(region.get_navigation_map()))
		region.free()
	ProjectSettings.set_setting(setting, 1)
	check(axes[0].size() > 10 and axes[0] == axes[1], "processor and device give the same map")


# ---- Use


func agents_walk_in_it() -> void:
	var region := make_office()
	root.add_child(region)
	var walker := Node3D.new()
	walker.position = Vector3(-5, 0.3, -5)
	var agent := CorridorAgent.new()
	agent.auto_move = true
	agent.max_speed = 5.0
	walker.add_child(agent)
	root.add_child(walker)
	check_equal(agent.radius, 0.5, "an agent in space has the radius of one")
	check_equal(agent.get_navigation_map(), region.get_navigation_map(), "it finds the region")
	agent.target_position = Vector3(5, 0, 5)
	var least := INF
	for i in 900:
		await physics_frame
		for box: AABB in [
			AABB(Vector3(-0.1, 0, -10), Vector3(0.2, 2.5, 8)),
			AABB(Vector3(-0.1, 0, -0.5), Vector3(0.2, 2.5, 10.5))
		]:
			var place := walker.position
			var foot := place.clamp(box.position, box.end)
			least = minf(least, Vector2(place.x - foot.x, place.z - foot.z).length())
		if agent.is_navigation_finished():
			break
	check(agent.is_target_reached(), "it walks through the door")
	check(least >= 0.5, "and keeps its distance from the real walls (%f)" % least)
	check_near(walker.position.y, 0.3, 0.0001, "its height is left alone")
	walker.free()
	region.free()


func storeys_have_their_own_maps() -> void:
	var ground := make_room([make_box_body(AABB(Vector3(-1, 0, -1), Vector3(2, 2, 2)))])
	var upper := make_room([make_box_body(AABB(Vector3(3, 0, -1), Vector3(2, 2, 2)))])
	upper.position.y = 4.0
	root.add_child(ground)
	root.add_child(upper)
	for height: float in [0.5, 4.5]:
		var walker := Node3D.new()
		walker.position = Vector3(-5, height, 0)
		var agent := CorridorAgent.new()
		walker.add_child(agent)
		root.add_child(walker)
		var expected := ground if height < 4.0 else upper
		check_equal(
			agent.get_navigation_map(), expected.get_navigation_map(), "at %f it is on its storey" % height
		)
		walker.free()
	var crate := CorridorObstacle3D.new()
	crate.radius = 1.0
	crate.position = Vector3(-5, 4, 0)
	root.add_child(crate)
	check_equal(clearance(upper, -5, 0), 0.0, "a crate is in the way on its storey")
	check(clearance(ground, -5, 0) > 3.0, "and not below")
	crate.free()
	ground.free()
	upper.free()
	await wait_frames(1)


func obstacles_and_terrain_change_it() -> void:
	var region := make_room()
	root.add_child(region)
	var map := region.get_navigation_map()
	var door := CorridorObstacle3D.new()
	door.vertices = PackedVector3Array(
		[Vector3(-1, 0, -0.1), Vector3(1, 0, -0.1), Vector3(1, 0, 0.1), Vector3(-1, 0, 0.1)]
	)
	root.add_child(door)
	check_near(clearance(region, 0, 2), 1.9, 0.01, "an obstacle is in the map")
	door.rotation.y = PI / 2
	await wait_frames(2)
	check_near(clearance(region, 0, 2), 1.0, 0.02, "and turns with its node")
	door.position.y = 50.0
	await wait_frames(2)
	check(clearance(region, 0, 0) > 9.0, "far above it is in nobody's way")
	var mud := CorridorTerrain3D.new()
	mud.radius = 2.0
	mud.type = 5
	region.add_child(mud)
	check_equal(server.map_get_terrain_type(map, Vector2(1, 1)), 5, "terrain is in the map")
	region.bake_corridor_map(false)
	check_equal(server.map_get_terrain_type(map, Vector2(1, 1)), 5, "also after a bake")
	region.free()
	door.free()
	check_equal(server.get_process_info(NavCorridorServer.INFO_TERRAIN_COUNT), 0, "nothing is left")


func mistakes_are_named() -> void:
	var region := CorridorRegion3D.new()
	errors.take()
	region.bake_corridor_map()
	check(errors.take()[0].contains("add the region to the tree"), "a bake outside of the tree")
	region.cell_size = 0.0
	check(errors.take()[0].contains("at least 0.001"), "cells of no size")
	region.agent_max_slope = 91.0
	check(errors.take()[0].contains("from 0 to 90"), "slopes beyond a wall")
	region.bounds = AABB(Vector3.ZERO, Vector3(NAN, 1, 1))
	check(errors.take()[0].contains("ordinary numbers"), "bounds that are no numbers")
	region.bounds = AABB()
	root.add_child(region)
	region.bake_corridor_map()
	check(errors.take()[0].contains("no area"), "bounds of no size")
	region.bounds = AABB(Vector3(-1e4, -1, -1e4), Vector3(2e4, 4, 2e4))
	region.bake_corridor_map(false)
	check(errors.take()[-1].contains("cell_size larger"), "too many cells")
	region.free()
