# SPDX-License-Identifier: MIT
# mistakes: expected
# Terrain nodes give the ground a type, which weighs what an agent's profile says.
extends "checker.gd"

const MUD := 3


func run() -> void:
	await it_gives_the_ground_a_type()
	await weights_change_the_way()
	await overlapping_pieces_have_an_order()
	await freed_nodes_leave_no_trace()
	mistakes_are_named()


func add_region() -> CorridorRegion2D:
	var region := CorridorRegion2D.new()
	region.bounds = BOUNDS
	root.add_child(region)
	return region


func make_terrain(rect: Rect2, type := MUD) -> CorridorTerrain2D:
	var terrain := CorridorTerrain2D.new()
	terrain.position = rect.get_center()
	terrain.vertices = make_box(Rect2(-rect.size / 2, rect.size))
	terrain.type = type
	return terrain


func it_gives_the_ground_a_type() -> void:
	var region := add_region()
	var map := region.get_navigation_map()
	var mud := make_terrain(Rect2(400, 0, 200, 400))
	root.add_child(mud)
	check_equal(server.map_get_terrain_type(map, Vector2(500, 200)), MUD, "the ground has its type")
	check_equal(server.map_get_terrain_type(map, Vector2(500, 500)), 0, "elsewhere it has none")
	check(server.map_get_clearance(map, Vector2(500, 200)) > 100.0, "terrain blocks nobody")
	mud.position.y += 200.0
	await wait_frames(2)
	check_equal(server.map_get_terrain_type(map, Vector2(500, 500)), MUD, "it follows its node")
	check_equal(server.map_get_terrain_type(map, Vector2(500, 100)), 0, "and leaves where it was")
	mud.vertices = PackedVector2Array()
	mud.radius = 50.0
	await wait_frames(2)
	check_equal(server.map_get_terrain_type(map, Vector2(540, 400)), MUD, "a circle will do")
	check_equal(server.map_get_terrain_type(map, Vector2(560, 400)), 0, "of its radius")
	mud.enabled = false
	await wait_frames(2)
	check_equal(server.map_get_terrain_type(map, Vector2(500, 400)), 0, "switched off it is gone")
	mud.free()
	region.free()
	await wait_frames(1)


# The same map, two agents: one that minds mud and one that does not.
func weights_change_the_way() -> void:
	var region := add_region()
	var mud := make_terrain(Rect2(400, 100, 200, 500))
	root.add_child(mud)
	var profile := TerrainProfile.new()
	profile.weights = {MUD: 20.0}
	var lengths: Array[float] = []
	var highest: Array[float] = []
	for is_picky: bool in [false, true]:
		var agent := make_agent(Vector2(100, 400), 10.0)
		if is_picky:
			agent.terrain_profile = profile
		root.add_child(agent.get_parent())
		agent.target_position = Vector2(900, 400)
		var path: PackedVector2Array = agent.get_current_navigation_path()
		if path.is_empty():
			agent.get_next_path_position()
			path = agent.get_current_navigation_path()
		lengths.append(agent.get_path_length())
		var top := INF
		for point in path:
			top = minf(top, point.y)
		highest.append(top)
		agent.get_parent().free()
	check_near(lengths[0], 800.0, 1.0, "who does not mind mud walks through it")
	check(lengths[1] > 900.0, "who does goes around it (%f)" % lengths[1])
	check(highest[1] <= 101.0, "above its border (%f)" % highest[1])
	mud.free()
	region.free()
	await wait_frames(1)


func overlapping_pieces_have_an_order() -> void:
	var region := add_region()
	var map := region.get_navigation_map()
	var mud := make_terrain(Rect2(400, 200, 200, 200), MUD)
	var road := make_terrain(Rect2(0, 280, 1000, 40), 1)
	road.priority = 1
	root.add_child(mud)
	root.add_child(road)
	var point := Vector2(500, 300)
	check_equal(server.map_get_terrain_type(map, point), 1, "the road lies over the mud")
	road.priority = -1
	await wait_frames(2)
	check_equal(server.map_get_terrain_type(map, point), MUD, "or below it")
	mud.free()
	check_equal(server.map_get_terrain_type(map, point), 1, "without the mud it is seen again")
	road.free()
	region.free()
	await wait_frames(1)


func freed_nodes_leave_no_trace() -> void:
	var region := add_region()
	var map := region.get_navigation_map()
	var mud := make_terrain(Rect2(400, 200, 200, 200))
	region.add_child(mud)
	check_equal(server.map_get_terrains(map).size(), 1, "a piece below a region is in its map")
	mud.reparent(root)
	check_equal(server.map_get_terrains(map).size(), 1, "beside it, too")
	root.remove_child(mud)
	check_equal(server.map_get_terrains(map).size(), 0, "outside of the tree it is not")
	mud.free()
	check_equal(
		server.get_process_info(NavCorridorServer.INFO_TERRAIN_COUNT), 0, "nothing is left of it"
	)
	region.free()
	await wait_frames(1)


func mistakes_are_named() -> void:
	var terrain := CorridorTerrain2D.new()
	errors.take()
	terrain.type = 64
	check(errors.take()[0].contains("from 0 to 63"), "a type that is too large is refused")
	terrain.vertices = PackedVector2Array([Vector2(INF, 0)])
	check(errors.take()[0].contains("vertex 0"), "a vertex without end is refused")
	terrain.free()
