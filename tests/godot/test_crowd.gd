# SPDX-License-Identifier: MIT
# Agents without nodes, terrain, and queries with parameters.
extends "checker.gd"

const ROOM := Rect2(0, 0, 1000, 600)

var map: RID


func run() -> void:
	map = server.map_create()
	server.map_set_bounds(map, ROOM)
	server.map_set_active(map, true)
	await agents_without_nodes_arrive_by_every_method()
	await only_agents_whose_path_changed_search_again()
	await agents_keep_apart()
	await who_meets_in_a_narrow_passage_gets_past()
	terrain_changes_the_cheapest_path()
	questions_about_discs_have_the_right_answers()
	queries_find_every_kind_of_route()
	await queries_answer_from_other_threads()
	server.free_rid(map)
	check_equal(server.get_maps().size(), 0, "no map is left at the end")


func make_wall(rect: Rect2) -> RID:
	var obstacle := server.obstacle_create()
	server.obstacle_set_vertices(obstacle, make_box(rect))
	server.obstacle_set_map(obstacle, map)
	return obstacle


func make_walker(from: Vector2, to: Vector2, radius: float) -> RID:
	var agent := server.agent_create()
	server.agent_set_map(agent, map)
	server.agent_set_position(agent, from)
	server.agent_set_radius(agent, radius)
	server.agent_set_max_speed(agent, 200.0)
	server.agent_set_target(agent, to)
	return agent


func agents_without_nodes_arrive_by_every_method() -> void:
	var pixels := map
	for method in 4:
		# The forces of CMM have no unit: only people who are about as large as 1 walk as they should.
		var unit := 0.01 if method == server.METHOD_CMM else 1.0
		map = server.map_create()
		server.map_set_bounds(map, Rect2(ROOM.position * unit, ROOM.size * unit))
		server.map_set_active(map, true)
		make_wall(Rect2(450 * unit, 0, 100 * unit, 450 * unit))
		var goal := Vector2(900, 100) * unit
		var agent := make_walker(Vector2(100, 100) * unit, goal, 20.0 * unit)
		server.agent_set_max_speed(agent, 200.0 * unit)
		server.agent_set_method(agent, method)
		var least := INF
		var frames := 0
		while frames < 1500 and (frames < 2 or not server.agent_is_finished(agent)):
			await physics_frame
			least = minf(least, server.map_get_clearance(map, server.agent_get_position(agent)))
			frames += 1
		var rest := server.agent_get_position(agent).distance_to(goal) / unit
		check(rest < 2.0, "method %d arrives (%.3f away after %d frames)" % [method, rest, frames])
		check(least >= 20.0 * unit - 1e-6, "and keeps its radius (%f)" % least)
		server.free_rid(agent)
		for obstacle: RID in server.map_get_obstacles(map):
			server.free_rid(obstacle)
		server.free_rid(map)
	map = pixels


func only_agents_whose_path_changed_search_again() -> void:
	var near := make_walker(Vector2(100, 100), Vector2(900, 100), 10.0)
	var far := make_walker(Vector2(100, 500), Vector2(900, 500), 10.0)
	var divider := make_wall(Rect2(50, 290, 900, 20))
	await wait_frames(3)
	var replanned := server.get_process_info(server.INFO_REPLAN_COUNT)
	var kept := server.get_process_info(server.INFO_KEPT_COUNT)
	var near_count := server.agent_get_search_count(near)
	var far_count := server.agent_get_search_count(far)
	var door := make_wall(Rect2(600, 60, 40, 80))
	await wait_frames(2)
	check_equal(
		server.agent_get_search_count(near) - near_count, 1, "who is blocked searches once"
	)
	check_equal(server.agent_get_search_count(far) - far_count, 0, "who is elsewhere does not")
	check_equal(
		server.get_process_info(server.INFO_REPLAN_COUNT) - replanned, 1, "one replan is counted"
	)
	check_equal(
		server.get_process_info(server.INFO_KEPT_COUNT) - kept, 1, "and one path that was kept"
	)
	check_equal(server.map_get_agents(map).size(), 2, "the map knows both agents")
	for rid: RID in [near, far, door, divider]:
		server.free_rid(rid)


func agents_keep_apart() -> void:
	var agents: Array[RID] = []
	for i in 12:
		var from := Vector2(100, 100 + 35 * i)
		var agent := make_walker(from, Vector2(900, 485 - 35 * i), 12.0)
		server.agent_set_avoidance_enabled(agent, true)
		agents.append(agent)
	var least := INF
	for i in 900:
		await physics_frame
		for a in agents.size():
			for b in a:
				var pa := server.agent_get_position(agents[a])
				least = minf(least, pa.distance_to(server.agent_get_position(agents[b])))
	var arrived := 0
	for agent in agents:
		arrived += 1 if server.agent_is_finished(agent) else 0
		server.free_rid(agent)
	check_equal(arrived, 12, "a crowd that crosses itself arrives")
	check(least > 0.8 * 24.0, "and nobody runs into another (nearest %.1f of 24)" % least)


func who_meets_in_a_narrow_passage_gets_past() -> void:
	var walls: Array[RID] = [make_wall(Rect2(300, 0, 400, 270)), make_wall(Rect2(300, 330, 400, 270))]
	var agents: Array[RID] = []
	for i in 2:
		agents.append(make_walker(Vector2(100 + 800 * i, 300), Vector2(900 - 800 * i, 300), 20.0))
		server.agent_set_avoidance_enabled(agents[i], true)
	var least := INF
	for i in 900:
		await physics_frame
		for agent in agents:
			least = minf(least, server.map_get_clearance(map, server.agent_get_position(agent)))
	check(least >= 19.999, "in a narrow passage agents keep off the walls (%.3f)" % least)
	for i in 2:
		check(server.agent_is_finished(agents[i]), "who meets there gets past, agent %d" % i)
		server.free_rid(agents[i])
		server.free_rid(walls[i])


func terrain_changes_the_cheapest_path() -> void:
	var mud := server.terrain_create()
	server.terrain_set_vertices(mud, make_box(Rect2(300, 0, 400, 500)))
	server.terrain_set_type(mud, 3)
	server.terrain_set_priority(mud, 2)
	server.terrain_set_map(mud, map)
	check_equal(server.map_get_terrain_type(map, Vector2(500, 250)), 3, "terrain has its type")
	check_equal(server.map_get_terrain_type(map, Vector2(500, 550)), 0, "the ground has none")
	check_equal(server.map_get_terrains(map), [mud], "the map knows its terrain")
	check_equal(server.terrain_get_priority(mud), 2, "terrain keeps its priority")
	check_equal(server.terrain_get_vertices(mud).size(), 4, "and its vertices")

	var parameters := make_parameters(Vector2(100, 250), Vector2(900, 250))
	var result := CorridorPathQueryResult.new()
	var profile := TerrainProfile.new()
	profile.set_weight(3, 5.0)
	parameters.terrain_profile = profile
	parameters.route = NavCorridorServer.ROUTE_WEIGHTED
	server.query_path(parameters, result)
	check(result.is_found and result.path_length > 850.0, "the cheapest path goes around the mud")
	check(result.path_cost < 1200.0, "which costs less (%f)" % result.path_cost)
	profile.set_weight(3, 1.0)
	server.query_path(parameters, result)
	check_near(result.path_length, 800.0, 0.1, "unless mud is as good as anything")
	profile.set_weight(3, 5.0)
	server.terrain_set_position(mud, Vector2(0, -600))
	server.query_path(parameters, result)
	check_near(result.path_length, 800.0, 0.1, "or somewhere else")
	server.free_rid(mud)
	check_equal(server.map_get_terrains(map).size(), 0, "freed terrain leaves its map")


func questions_about_discs_have_the_right_answers() -> void:
	var wall := make_wall(Rect2(480, 0, 40, 500))
	var hit: Dictionary = server.map_cast_disc(map, Vector2(100, 300), Vector2(900, 300), 20.0)
	check(hit.position.distance_to(Vector2(460, 300)) < 0.01, "a disc stops at the wall")
	check(hit.point.distance_to(Vector2(480, 300)) < 0.01, "where it touches")
	check(hit.normal.distance_to(Vector2(-1, 0)) < 0.01, "with a normal")
	check_near(hit.distance, 360.0, 0.01, "after some way")
	check_equal(hit.obstacle, wall, "and says what it is")
	check(
		server.map_cast_disc(map, Vector2(100, 550), Vector2(900, 550), 20.0).is_empty(),
		"a free way has no contact"
	)
	check_near(
		server.map_get_largest_radius(map, Vector2(100, 300), Vector2(900, 300)),
		50.0,
		0.01,
		"the largest disc that gets through has the radius of the gap"
	)
	check_equal(server.map_get_closest_obstacle(map, Vector2(470, 300)), wall, "the nearest one")
	var inside := 0
	for i in 100:
		var point := server.map_get_random_point(map, 30.0)
		inside += 1 if server.map_get_clearance(map, point) >= 29.999 else 0
	check_equal(inside, 100, "random points have room for the disc")
	server.free_rid(wall)


func make_parameters(from: Vector2, to: Vector2) -> CorridorPathQueryParameters:
	var parameters := CorridorPathQueryParameters.new()
	parameters.map = map
	parameters.start_position = from
	parameters.target_position = to
	parameters.radius = 10.0
	return parameters


func queries_find_every_kind_of_route() -> void:
	var wall := make_wall(Rect2(450, 0, 100, 300))
	var parameters := make_parameters(Vector2(100, 150), Vector2(900, 150))
	var result := CorridorPathQueryResult.new()
	server.query_path(parameters, result)
	var shortest := result.path_length
	check(result.is_found and result.path.size() > 2, "the shortest path is found")
	check_equal(result.corridor_left.size(), result.corridor_points.size(), "with its corridor")
	check_near(result.min_clearance, 150.0, 0.1, "and its narrowest place")
	parameters.route = NavCorridorServer.ROUTE_MEDIAL
	server.query_path(parameters, result)
	check(result.path_length > shortest, "the medial axis is longer")
	parameters.route = NavCorridorServer.ROUTE_SIDE
	parameters.side_preference = -1.0
	server.query_path(parameters, result)
	var right := result.path_length
	parameters.side_preference = 1.0
	server.query_path(parameters, result)
	check(absf(result.path_length - right) > 10.0, "the sides differ")
	parameters.route = NavCorridorServer.ROUTE_CONTROL
	parameters.control_points = PackedVector2Array([Vector2(300, 500), Vector2(700, 500)])
	server.query_path(parameters, result)
	var passes := false
	for point in result.path:
		passes = passes or point.distance_to(Vector2(300, 500)) < 20.0
	check(passes, "a drawn route passes its points")
	parameters.route = NavCorridorServer.ROUTE_SHORTEST
	parameters.preferred_clearance = 60.0
	server.query_path(parameters, result)
	check(result.path_length > shortest + 10.0, "a preferred clearance makes a detour")
	parameters.preferred_clearance = 400.0
	server.query_path(parameters, result)
	check_near(result.path_length, shortest, 0.1, "if the way is wide enough for it")
	result.reset()
	check(result.path.is_empty() and not result.is_found, "a result can be reset")
	server.free_rid(wall)


func queries_answer_from_other_threads() -> void:
	var parameters := make_parameters(Vector2(100, 150), Vector2(900, 150))
	var results: Array[CorridorPathQueryResult] = []
	var heard := [0]
	for i in 50:
		results.append(CorridorPathQueryResult.new())
		server.query_path(parameters, results[i], func() -> void: heard[0] += 1)
	check_equal(heard[0], 0, "nobody is called inside of the call")
	await wait_for_threads(func() -> bool: return heard[0] < 50)
	check_equal(heard[0], 50, "all callbacks are called")
	check(results.all(func(r: CorridorPathQueryResult) -> bool: return r.is_found), "with a path")
	# The engine may quit while a query is on its way.
	server.query_path(parameters, results[0], func() -> void: pass)
