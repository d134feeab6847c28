# SPDX-License-Identifier: MIT
# What users of Godot's navigation ask for again and again, second half: agents and questions. One
# function for each wish, named by what they miss.
extends "test_missed_paths.gd"


func run() -> void:
	await nobody_is_pushed_into_walls()
	many_questions_in_a_large_map()
	await a_crowd_that_uses_the_whole_street()
	await paths_in_the_first_frame()
	await targets_that_are_always_reached()
	await targets_that_cannot_be_reached()
	rays_and_clearance()
	check_equal(server.get_maps().size(), 0, "no map is left")


# ---- 9. Avoidance pushes agents off the mesh and into walls


func nobody_is_pushed_into_walls() -> void:
	# Two groups of eight meet in a street. In the narrow one they may block each other for ever, as
	# people do who want to go straight on; but no wall gives way.
	for width: float in [100.0, 160.0]:
		var map := make_map([make_box(Rect2(0, 0, 1000, 300 - width / 2.0)),
			make_box(Rect2(0, 300 + width / 2.0, 1000, 300))])
		var agents: Array[RID] = []
		for i in 16:
			var x := 60.0 + 40.0 * floori(i % 8 / 2.0)
			var from := Vector2(x if i < 8 else 1000.0 - x, 300.0 + (i % 2 - 0.5) * 0.4 * width)
			var to := from + Vector2(760.0 if i < 8 else -760.0, 0)
			agents.append(make_walker(map, from, to, 11.0))
			server.agent_set_avoidance_enabled(agents[-1], true)
		var least := INF
		for i in 1200:
			await physics_frame
			for agent in agents:
				least = minf(least, server.map_get_clearance(map, server.agent_get_position(agent)))
		var arrived := 0
		for agent in agents:
			arrived += 1 if server.agent_is_finished(agent) else 0
			server.free_rid(agent)
		check(least >= 11.0 - 0.001, "9: nobody is pushed into a wall (%d wide, %f)" % [width, least])
		print("# 9: %d of 16 get through the street that is %d wide" % [arrived, width])
		if width > 100.0:
			check_equal(arrived, 16, "9: and all get through")
		free_map(map)


# ---- 10. Questions take too long


# How fast they are is for tools/bench; here they have to be right, all of them.
func many_questions_in_a_large_map() -> void:
	var map := server.map_create()
	server.map_set_bounds(map, Rect2(0, 0, 3030, 3030))
	server.map_set_active(map, true)
	for x in 30:
		for y in 30:
			add_obstacle(map, make_box(Rect2(30 + 100 * x, 30 + 100 * y, 70, 70)))
	server.map_force_update(map)
	var random := RandomNumberGenerator.new()
	random.seed = 10
	var found := 0
	var begin := Time.get_ticks_usec()
	for i in 200:
		var from := Vector2(15 + 100 * random.randi_range(0, 30), 15 + 100 * random.randi_range(0, 30))
		var to := Vector2(15 + 100 * random.randi_range(0, 30), 15 + 100 * random.randi_range(0, 30))
		found += 1 if not server.map_get_path(map, from, to, 10.0).is_empty() else 0
	print("# %d us for one path" % ((Time.get_ticks_usec() - begin) / 200))
	check_equal(found, 200, "10: 200 paths through 900 blocks")
	var wrong := 0
	begin = Time.get_ticks_usec()
	for i in 2000:
		var point := Vector2(random.randf_range(30, 3000), random.randf_range(30, 3000))
		wrong += 0 if is_closest(map, point, 5.0) else 1
	print("# %d us for one closest point and its proof" % ((Time.get_ticks_usec() - begin) / 2000))
	check_equal(wrong, 0, "10: 2,000 closest points, none wrong")
	free_map(map)


# Whether the answer is free and no free point is closer, in a grid of blocks.
func is_closest(map: RID, point: Vector2, radius: float) -> bool:
	var answer := server.map_get_closest_point(map, point, radius)
	var inside := (point - Vector2(30, 30)).posmod(100.0)
	var box := Rect2(0, 0, 70, 70).grow(radius)
	for shift: Vector2 in [Vector2.ZERO, Vector2(100, 0), Vector2(0, 100), Vector2(100, 100)]:
		var at := inside - shift
		if Rect2(0, 0, 70, 70).has_point(at):
			var out := minf(
				minf(at.x - box.position.x, box.end.x - at.x), minf(at.y - box.position.y, box.end.y - at.y)
			)
			return absf(answer.distance_to(point) - out) < 0.01
	var clearance := server.map_get_clearance(map, point)
	if clearance >= radius:
		return answer.distance_to(point) < 0.001
	return server.map_get_clearance(map, answer) >= radius - 0.001 \
		and answer.distance_to(point) <= radius - clearance + 0.5


# ---- 11. Everybody takes the same line


func a_crowd_that_uses_the_whole_street() -> void:
	var map := make_map([make_box(Rect2(0, 0, 1000, 200)), make_box(Rect2(0, 400, 1000, 200))])
	var agents: Array[CorridorAgent] = []
	for i in 9:
		var agent := make_agent(Vector2(40, 300), 8.0)
		root.add_child(agent.get_parent())
		agent.set_navigation_map(map)
		agent.auto_move = true
		agent.max_speed = 200.0
		agent.side_preference = -1.0 + 0.25 * i
		agent.target_position = Vector2(960, 300)
		agents.append(agent)
	await wait_frames(150)
	var heights: Array[float] = []
	for agent in agents:
		heights.append((agent.get_parent() as Node2D).position.y)
		agent.get_parent().free()
	var spread: float = heights.max() - heights.min()
	check(spread > 120.0, "11: agents with different sides walk abreast (%.0f of 184)" % spread)
	heights.sort()
	var widest := 0.0
	for i in range(1, 9):
		widest = maxf(widest, heights[i] - heights[i - 1])
	check(widest < 60.0, "11: spread over the whole street (%s)" % str(heights.map(roundi)))
	free_map(map)


# ---- 13. Empty paths in the first frames


func paths_in_the_first_frame() -> void:
	var level := Node2D.new()
	var region := make_region([make_box(Rect2(400, 100, 200, 400))])
	level.add_child(region)
	var lengths: Array[float] = []
	var asker := Node.new()
	asker.ready.connect(
		func() -> void:
			var map := region.get_navigation_map()
			lengths.append(get_length(server.map_get_path(map, Vector2(100, 300), Vector2(900, 300), 10.0)))
	)
	level.add_child(asker)
	var from_signal: Array[float] = []
	var on_change := func(map: RID) -> void:
		from_signal.append(get_length(server.map_get_path(map, Vector2(100, 300), Vector2(900, 300), 10.0)))
	server.map_changed.connect(on_change)
	root.add_child(level)
	check(lengths.size() == 1 and lengths[0] > 850.0, "13: a path in _ready() (%s)" % str(lengths))
	await wait_frames(3)
	server.map_changed.disconnect(on_change)
	check(from_signal.size() >= 1 and from_signal[0] == lengths[0],
		"13: and the same one in map_changed (%s)" % str(from_signal))
	level.free()


# ---- 14. Distances that keep a target from ever being reached


func targets_that_are_always_reached() -> void:
	var map := make_map([make_box(Rect2(300, 0, 60, 450)), make_box(Rect2(640, 150, 60, 450))])
	var agents: Array[CorridorAgent] = []
	var signals: Array[int] = []
	for speed: float in [60.0, 400.0, 3000.0]:
		for path_distance: float in [0.0, 1.0, 20.0, 300.0]:
			for target_distance: float in [0.0, 1.0, 10.0, 200.0]:
				var agent := make_agent(Vector2(200, 100), 10.0)
				root.add_child(agent.get_parent())
				agent.set_navigation_map(map)
				agent.max_speed = speed
				agent.path_desired_distance = path_distance
				agent.target_desired_distance = target_distance
				agent.auto_move = true
				agent.target_position = Vector2(780, 500)
				var index := signals.size()
				signals.append(0)
				agent.target_reached.connect(func() -> void: signals[index] += 1)
				agents.append(agent)
	await wait_frames(1500)
	var missed := 0
	var least := INF
	for i in agents.size():
		var body: Node2D = agents[i].get_parent()
		var off := body.position.distance_to(Vector2(780, 500))
		if signals[i] != 1 or off > maxf(agents[i].target_desired_distance, 1.0):
			missed += 1
			print("# %s px/s, path %s, target %s: %d times, %f away" % [agents[i].max_speed,
				agents[i].path_desired_distance, agents[i].target_desired_distance, signals[i], off])
		least = minf(least, server.map_get_clearance(map, body.position))
		body.free()
	check_equal(missed, 0, "14: 48 combinations of distances and speeds all reach the target once")
	check(least >= 10.0 - 0.001, "14: and stand clear of walls (%f)" % least)
	free_map(map)


# ---- 15. Targets that cannot be reached, and how far it is


func targets_that_cannot_be_reached() -> void:
	# A closed yard, and one with a gate of 30.
	var polygons: Array[PackedVector2Array] = []
	for rect: Rect2 in [
		Rect2(600, 100, 20, 200), Rect2(800, 100, 20, 200), Rect2(600, 100, 220, 20),
		Rect2(600, 280, 220, 20), Rect2(600, 400, 90, 20), Rect2(720, 400, 100, 20),
		Rect2(600, 400, 20, 200), Rect2(800, 400, 20, 200)
	]:
		polygons.append(make_box(rect))
	var map := make_map(polygons)
	var home := Vector2(100, 300)
	check(not server.map_is_reachable(map, home, Vector2(710, 200), 0.0), "15: nobody enters the yard")
	check(server.map_is_reachable(map, home, Vector2(710, 500), 14.9), "15: who fits the gate does")
	check(not server.map_is_reachable(map, home, Vector2(710, 500), 15.1), "15: who does not, does not")
	check_near(server.map_get_largest_radius(map, home, Vector2(710, 500)), 15.0, 0.01,
		"15: and the largest that does is told")
	var query := CorridorPathQueryParameters.new()
	query.map = map
	query.start_position = home
	query.target_position = Vector2(300, 300)
	var result := CorridorPathQueryResult.new()
	server.query_path(query, result)
	check_near(result.path_length, 200.0, 0.01, "15: the length of a path is there, for budgets")
	check_near(result.path_cost, 200.0, 0.01, "15: and its cost")
	query.target_position = Vector2(710, 200)
	server.query_path(query, result)
	check(not result.is_found and result.path.is_empty(), "15: without a way there is no path")
	var agent := make_agent(home, 10.0)
	root.add_child(agent.get_parent())
	agent.set_navigation_map(map)
	agent.auto_move = true
	var log: Array[String] = []
	agent.target_reached.connect(func() -> void: log.append("reached"))
	agent.navigation_finished.connect(func() -> void: log.append("finished"))
	agent.target_position = Vector2(710, 200)
	check(not agent.is_target_reachable(), "15: the agent knows it at once")
	await wait_frames(30)
	check_equal(log, ["finished"] as Array[String], "15: and ends cleanly")
	agent.get_parent().free()
	free_map(map)


# ---- 16. Ray casts, distances to edges, clearance


func rays_and_clearance() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 16
	var polygons := make_random_polygons(random, 20)
	var map := make_map(polygons)
	var wrong_clearance := 0
	var wrong_point := 0
	var wrong_cast := 0
	for i in 300:
		var from := find_free_point(random, polygons, 6.0)
		var to := Vector2(random.randf_range(0, 1000), random.randf_range(0, 600))
		var clearance := find_clearance(polygons, from)
		wrong_clearance += 0 if absf(server.map_get_clearance(map, from) - clearance) < 0.01 else 1
		var point := server.map_get_closest_obstacle_point(map, from)
		wrong_point += 0 if absf(point.distance_to(from) - clearance) < 0.01 else 1
		wrong_cast += 0 if is_cast_right(map, polygons, from, to, 5.0) else 1
	check_equal(wrong_clearance, 0, "16: 300 clearances")
	check_equal(wrong_point, 0, "16: 300 nearest wall points")
	check_equal(wrong_cast, 0, "16: 300 casts of a disc")
	free_map(map)


# Free up to the hit, touching there.
func is_cast_right(
	map: RID, polygons: Array[PackedVector2Array], from: Vector2, to: Vector2, radius: float
) -> bool:
	var hit := server.map_cast_disc(map, from, to, radius)
	var end: Vector2 = hit.get("position", to)
	if find_least(polygons, PackedVector2Array([from, end])) < radius - 0.01:
		return false
	return hit.is_empty() or absf(find_clearance(polygons, end) - radius) < 0.01
