# SPDX-License-Identifier: MIT
# What users of Godot's navigation ask for again and again, first half: the paths. One function for
# each wish, named by what they miss, with our answer measured by brute force. Where the engine has
# a different answer it is printed for comparison.
extends "checker.gd"

const ROOM := Rect2(0, 0, 1000, 600)


func run() -> void:
	one_map_for_agents_of_any_radius()
	paths_that_do_not_clip_corners()
	await obstacles_that_change_the_path()
	await edits_that_leave_the_rest_alone()
	ground_that_costs_each_agent_something_else()
	no_detours_in_big_or_thin_spaces()
	await smooth_walks()
	room_between_the_path_and_the_corners()
	await routes_that_a_designer_draws()
	check_equal(server.get_maps().size(), 0, "no map is left")


# ---- What all of them need


func make_map(polygons: Array[PackedVector2Array]) -> RID:
	var map := server.map_create()
	server.map_set_bounds(map, ROOM)
	server.map_set_active(map, true)
	for points in polygons:
		add_obstacle(map, points)
	return map


func add_obstacle(map: RID, points: PackedVector2Array) -> RID:
	var obstacle := server.obstacle_create()
	server.obstacle_set_vertices(obstacle, points)
	server.obstacle_set_map(obstacle, map)
	return obstacle


func free_map(map: RID) -> void:
	for rid: RID in server.map_get_obstacles(map) + server.map_get_terrains(map):
		server.free_rid(rid)
	server.free_rid(map)


func get_length(path: PackedVector2Array) -> float:
	var length := 0.0
	for i in range(1, path.size()):
		length += path[i - 1].distance_to(path[i])
	return length


# The least clearance along a path, by brute force at every pixel of it.
func find_least(polygons: Array[PackedVector2Array], path: PackedVector2Array) -> float:
	var least := INF
	for i in range(1, path.size()):
		var steps := maxi(ceili(path[i - 1].distance_to(path[i])), 1)
		for k in steps + 1:
			var point := path[i - 1].lerp(path[i], k / float(steps))
			least = minf(least, find_clearance(polygons, point))
	return least


# ---- 1. One navigation mesh and one map for each size


func one_map_for_agents_of_any_radius() -> void:
	# A wall with gaps of 20, 40, 60 and 80.
	var polygons: Array[PackedVector2Array] = []
	for rect: Rect2 in [
		Rect2(480, 0, 40, 50), Rect2(480, 70, 40, 110), Rect2(480, 220, 40, 120), Rect2(480, 400, 40, 120)
	]:
		polygons.append(make_box(rect))
	var map := make_map(polygons)
	server.map_force_update(map)
	var iteration := server.map_get_iteration_id(map)
	var worst := INF
	var right := 0
	for i in 100:
		var radius := 0.5 * (i + 1)
		var path := server.map_get_path(map, Vector2(100, 60), Vector2(900, 60), radius)
		right += 1 if path.is_empty() == (radius > 40.0) else 0
		if not path.is_empty():
			worst = minf(worst, find_least(polygons, path) - radius)
	check_equal(right, 100, "1: of 100 radii each gets through exactly where it fits")
	check(worst >= -0.001, "1: and every path keeps its own radius (%f)" % worst)
	check_equal(server.map_get_iteration_id(map), iteration, "1: the map was made once")
	free_map(map)


# ---- 2. Agents clip corners, their radius counts for nothing


func paths_that_do_not_clip_corners() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 2
	var polygons := make_random_polygons(random, 18)
	var map := make_map(polygons)
	var theirs := make_navigation_map(polygons)
	var worst := INF
	var their_worst := INF
	var found := 0
	for i in 60:
		var radius: float = [8.0, 16.0, 24.0][i % 3]
		var from := find_free_point(random, polygons, radius)
		var to := find_free_point(random, polygons, radius)
		var path := server.map_get_path(map, from, to, radius)
		if not path.is_empty():
			found += 1
			worst = minf(worst, find_least(polygons, path) - radius)
			var other := NavigationServer2D.map_get_path(theirs, from, to, true)
			their_worst = minf(their_worst, find_least(polygons, other) - radius)
	check(found >= 30, "2: paths for three sizes are found (%d of 60)" % found)
	check(worst >= -0.001, "2: none comes closer to a corner than its radius (%f)" % worst)
	print("# NavigationServer2D, baked for a radius of 10: %f" % their_worst)
	for region: RID in NavigationServer2D.map_get_regions(theirs):
		NavigationServer2D.free_rid(region)
	NavigationServer2D.free_rid(theirs)
	free_map(map)


func make_navigation_map(polygons: Array[PackedVector2Array]) -> RID:
	var source := NavigationMeshSourceGeometryData2D.new()
	source.add_traversable_outline(make_box(ROOM))
	for points in polygons:
		source.add_obstruction_outline(points)
	var mesh := NavigationPolygon.new()
	NavigationServer2D.bake_from_source_geometry_data(mesh, source)
	var map := NavigationServer2D.map_create()
	var region := NavigationServer2D.region_create()
	NavigationServer2D.map_set_use_async_iterations(map, false)
	NavigationServer2D.region_set_use_async_iterations(region, false)
	NavigationServer2D.map_set_active(map, true)
	NavigationServer2D.region_set_navigation_polygon(region, mesh)
	NavigationServer2D.region_set_map(region, map)
	NavigationServer2D.map_force_update(map)
	return map


# ---- 3. Obstacles change the velocity, never the path


func obstacles_that_change_the_path() -> void:
	var map := make_map([make_box(Rect2(480, 0, 40, 250)), make_box(Rect2(480, 350, 40, 150))])
	var agent := make_agent(Vector2(100, 300), 12.0)
	var body: Node2D = agent.get_parent()
	root.add_child(body)
	agent.set_navigation_map(map)
	agent.auto_move = true
	agent.target_position = Vector2(900, 300)
	await wait_frames(60)
	check_near(agent.get_path_length(), 800.0, 0.1, "3: the way leads through the door")
	var crate := server.obstacle_create()
	server.obstacle_set_radius(crate, 48.0)
	server.obstacle_set_position(crate, Vector2(500, 300))
	server.obstacle_set_map(crate, map)
	await wait_frames(2)
	var path: PackedVector2Array = agent.get_current_navigation_path()
	var detour := get_length(path) - body.position.distance_to(Vector2(900, 300))
	check(path[-1] == Vector2(900, 300) and detour > 100.0, "3: a crate there moves it")
	var least := INF
	for i in 1200:
		await physics_frame
		least = minf(least, server.map_get_clearance(map, body.position))
		if agent.is_navigation_finished():
			break
	check(agent.is_target_reached(), "3: the agent arrives by the other door")
	check(least >= 12.0 - 0.001, "3: and touches neither wall nor crate (%f)" % least)
	body.free()
	free_map(map)


# ---- 4. One platform moves, and the whole map is computed anew


func edits_that_leave_the_rest_alone() -> void:
	var map := make_map([])
	for x in 12:
		for y in 7:
			add_obstacle(map, make_box(Rect2(30 + 80 * x, 30 + 80 * y, 48, 48)))
	var door := add_obstacle(map, make_box(Rect2(-20, -4, 40, 8)))
	server.obstacle_set_position(door, Vector2(94, 54))
	var agents: Array[RID] = []
	for y in 6:
		agents.append(make_walker(map, Vector2(14, 94 + 80 * y), Vector2(986, 94 + 80 * y), 8.0))
	await wait_frames(3)
	var counts: Array = agents.map(server.agent_get_search_count)
	var kept := server.get_process_info(server.INFO_KEPT_COUNT)
	# The door swings at the upper left; the agents walk in the streets below.
	for i in 40:
		server.obstacle_set_position(door, Vector2(94, 30.0 + i))
		await physics_frame
	check_equal(agents.slice(1).map(server.agent_get_search_count), counts.slice(1),
		"4: 40 edits make nobody search whose street they do not touch")
	check(server.get_process_info(server.INFO_KEPT_COUNT) - kept >= 5 * 40, "4: which is counted")
	var axis := server.map_get_medial_axis(map)
	server.map_force_update(map)
	check(axis == server.map_get_medial_axis(map), "4: and the map is up to date")
	var fresh := make_map([])
	for obstacle: RID in server.map_get_obstacles(map):
		var at := server.obstacle_get_position(obstacle)
		add_obstacle(fresh, Transform2D(0.0, at) * server.obstacle_get_vertices(obstacle))
	check(sort_lines(axis) == sort_lines(server.map_get_medial_axis(fresh)),
		"4: it is bit for bit the one that is made anew")
	for agent in agents:
		server.free_rid(agent)
	free_map(fresh)
	free_map(map)


func make_walker(map: RID, from: Vector2, to: Vector2, radius: float) -> RID:
	var agent := server.agent_create()
	server.agent_set_map(agent, map)
	server.agent_set_position(agent, from)
	server.agent_set_radius(agent, radius)
	server.agent_set_target(agent, to)
	return agent


# The segments of an axis, whatever their order and direction.
func sort_lines(points: PackedVector2Array) -> Array:
	var lines := []
	for i in range(0, points.size() - 1, 2):
		var a := points[i]
		var b := points[i + 1]
		lines.append([a, b] if a < b else [b, a])
	lines.sort()
	return lines


# ---- 5. Costs belong to regions instead of to agents, and are not the least


func ground_that_costs_each_agent_something_else() -> void:
	# Two ways around a block: 800 below through mud, a longer one above on a road.
	var map := make_map([make_box(Rect2(200, 200, 600, 200))])
	var mud := server.terrain_create()
	server.terrain_set_vertices(mud, make_box(Rect2(400, 400, 200, 200)))
	server.terrain_set_type(mud, 3)
	server.terrain_set_map(mud, map)
	var query := CorridorPathQueryParameters.new()
	query.map = map
	query.radius = 10.0
	query.start_position = Vector2(100, 330)
	query.target_position = Vector2(900, 330)
	var result := CorridorPathQueryResult.new()
	server.query_path(query, result)
	var below := result.path_length
	query.route = server.ROUTE_WEIGHTED
	var profile := TerrainProfile.new()
	query.terrain_profile = profile
	profile.weights = {3: 0.0}
	server.query_path(query, result)
	var above := result.path_length
	check(above > below + 20.0, "5: who must not step into mud walks farther")
	# From this weight on the detour is cheaper. Both sides of it, closely.
	var even := 1.0 + (above - below) / 200.0
	for weight: float in [1.0, even - 0.03, even + 0.03, 10.0]:
		profile.weights = {3: weight}
		server.query_path(query, result)
		var is_above := result.path[result.path.size() / 2].y < 300.0
		check_equal(is_above, weight > even, "5: with a weight of %.3f the cheaper way" % weight)
		var expected := minf(below + (weight - 1.0) * 200.0, above)
		check_near(result.path_cost, expected, 0.5, "5: and its cost")
	server.terrain_set_position(mud, Vector2(0, -400))
	profile.weights = {3: 10.0}
	server.query_path(query, result)
	check_near(result.path_cost, below, 0.5, "5: moved mud counts at once, without a bake")
	free_map(map)


# ---- 6. Detours on big and thin polygons


func no_detours_in_big_or_thin_spaces() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 6
	# Slivers and dots, which cut a navigation mesh into long thin triangles.
	var polygons: Array[PackedVector2Array] = []
	for i in 40:
		var at := Vector2(random.randf_range(20, 980), random.randf_range(20, 580))
		var tip := at + Vector2.from_angle(random.randf() * TAU) * random.randf_range(2, 60)
		polygons.append(PackedVector2Array([at, tip, at + Vector2(0.5, 0.5)]))
	var map := make_map(polygons)
	var straight := 0
	var worst := 1.0
	var longer := 0
	var longest := 0.0
	for i in 400:
		var from := find_free_point(random, polygons, 1.0)
		var to := find_free_point(random, polygons, 1.0)
		var length := get_length(server.map_get_path(map, from, to, 1.0))
		if server.map_is_segment_free(map, from, to, 1.0):
			straight += 1
			worst = maxf(worst, length / from.distance_to(to))
			longer += 1 if length > from.distance_to(to) + 0.01 else 0
		else:
			longest = maxf(longest, length / from.distance_to(to))
	check(straight > 60, "6: many pairs see each other (%d of 400)" % straight)
	# The search looks at a limited number of corridors, so a rare one is a little longer.
	check(longer <= 2, "6: their paths are straight (but for %d)" % longer)
	check(worst <= 1.02, "6: or nearly so (%f)" % worst)
	check(longest > 1.0 and longest < 1.5, "6: around slivers nobody goes far (%f)" % longest)
	free_map(map)


# ---- 7. Smooth walks instead of corners


func smooth_walks() -> void:
	var map := make_map([make_box(Rect2(200, 0, 60, 400)), make_box(Rect2(600, 200, 60, 400))])
	var agent := make_walker(map, Vector2(60, 60), Vector2(940, 540), 12.0)
	server.agent_set_max_speed(agent, 150.0)
	var last := Vector2.ZERO
	var sharpest := 0.0
	var at := server.agent_get_position(agent)
	var least := INF
	for i in 1500:
		await physics_frame
		var now := server.agent_get_position(agent)
		least = minf(least, server.map_get_clearance(map, now))
		var step := now - at
		# Standing still has no direction, and neither have the last steps.
		if last.length() > 0.5 and step.length() > 0.5:
			sharpest = maxf(sharpest, absf(last.angle_to(step)))
		last = step
		at = now
	check(server.agent_is_finished(agent), "7: the walker arrives")
	check(rad_to_deg(sharpest) < 25.0, "7: it never turns by more than 25 degrees in a frame (%.1f)"
		% rad_to_deg(sharpest))
	check(least >= 12.0 - 0.001, "7: and cuts no corner (%f)" % least)
	server.free_rid(agent)
	free_map(map)


# ---- 8. Paths hug corners


func room_between_the_path_and_the_corners() -> void:
	var polygons: Array[PackedVector2Array] = [make_box(Rect2(300, 200, 400, 200))]
	var map := make_map(polygons)
	var query := CorridorPathQueryParameters.new()
	query.map = map
	query.radius = 10.0
	query.start_position = Vector2(100, 300)
	query.target_position = Vector2(900, 300)
	var result := CorridorPathQueryResult.new()
	for clearance: float in [10.0, 30.0, 60.0, 90.0]:
		query.preferred_clearance = clearance
		server.query_path(query, result)
		check_near(find_least(polygons, result.path), clearance, 0.05,
			"8: with a preferred clearance of %d the path keeps it" % clearance)
	query.preferred_clearance = 300.0
	server.query_path(query, result)
	check(result.is_found, "8: where there is no such room the path is found all the same")
	query.preferred_clearance = 0.0
	query.route = server.ROUTE_SIDE
	var heights: Array[float] = []
	for side: float in [-1.0, 0.0, 1.0]:
		query.start_position = Vector2(310, 100)
		query.target_position = Vector2(690, 100)
		query.side_preference = side
		server.query_path(query, result)
		heights.append(result.path[result.path.size() / 2].y)
	check(heights[0] > heights[1] + 20.0 and heights[1] > heights[2] + 20.0,
		"8: the right side is on the right, the left one on the left (%s)" % str(heights))
	var middle := result.corridor_points.size() / 2
	check(result.corridor_right[middle].y > result.corridor_left[middle].y,
		"8: and so are the sides of the corridor")
	free_map(map)


# ---- 12. Routes and patrols that still avoid what is in the way


func routes_that_a_designer_draws() -> void:
	var polygons: Array[PackedVector2Array] = [make_box(Rect2(460, 60, 80, 90))]
	var map := make_map(polygons)
	var level := Node2D.new()
	var drawing := Path2D.new()
	drawing.name = "Drawing"
	drawing.curve = Curve2D.new()
	for point: Vector2 in [Vector2(100, 100), Vector2(900, 100), Vector2(900, 500)]:
		drawing.curve.add_point(point)
	level.add_child(drawing)
	var agent := make_agent(Vector2(100, 130), 12.0)
	agent.name = "Agent"
	var body: Node2D = agent.get_parent()
	level.add_child(body)
	root.add_child(level)
	agent.set_navigation_map(map)
	agent.auto_move = true
	agent.max_speed = 200.0
	agent.route = agent.get_path_to(drawing)
	agent.target_position = Vector2(900, 500)
	var farthest := 0.0
	var least := INF
	var near := 0
	var frames := 0
	while frames < 1500 and (frames < 2 or not agent.is_navigation_finished()):
		await physics_frame
		frames += 1
		var off := body.position.distance_to(drawing.curve.get_closest_point(body.position))
		farthest = maxf(farthest, off)
		near += 1 if off < 40.0 else 0
		least = minf(least, find_clearance(polygons, body.position))
	check(agent.is_target_reached(), "12: the agent walks the drawn route to its end")
	check(near > 0.65 * frames, "12: most of the time it is on it (%d of %d frames)" % [near, frames])
	check(farthest < 110.0, "12: and otherwise not far (%f)" % farthest)
	check(least >= 12.0 - 0.001, "12: though a house stands on the drawing (%f)" % least)
	level.free()
	free_map(map)
