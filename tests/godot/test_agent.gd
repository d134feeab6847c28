# SPDX-License-Identifier: MIT
# Agents reach their targets, keep their radius from every wall, and speak like NavigationAgent.
extends "checker.gd"

const TOWN: Array[Rect2] = [
	Rect2(200, 0, 60, 400),
	Rect2(400, 200, 60, 400),
	Rect2(600, 60, 200, 80),
	Rect2(600, 260, 120, 220),
	Rect2(830, 200, 60, 260),
]


func run() -> void:
	await agent_reaches_its_target_and_keeps_its_radius()
	await signals_come_as_those_of_navigation_agent()
	await safe_velocity_never_lets_an_agent_into_a_wall()
	await agents_walk_through_random_levels()
	await scripts_that_steer_by_themselves_arrive()
	await unreachable_targets_end_the_navigation()
	await an_obstacle_on_the_way_changes_the_path()
	await large_and_small_agents_take_different_ways()


func make_town() -> Array[PackedVector2Array]:
	var polygons: Array[PackedVector2Array] = []
	for rect in TOWN:
		polygons.append(make_box(rect))
	return polygons


func agent_reaches_its_target_and_keeps_its_radius() -> void:
	var polygons := make_town()
	var region := make_region(polygons)
	root.add_child(region)
	var agent := make_agent(Vector2(50, 50), 18.0)
	var body: Node2D = agent.get_parent()
	root.add_child(body)
	agent.auto_move = true
	agent.max_speed = 240.0
	agent.target_position = Vector2(950, 550)
	var least := INF
	for i in 900:
		await physics_frame
		least = minf(least, find_clearance(polygons, body.position))
		if agent.is_navigation_finished():
			break
	check(agent.is_target_reached(), "the agent reaches its target")
	check(
		body.position.distance_to(Vector2(950, 550)) <= agent.target_desired_distance,
		"it stands within target_desired_distance"
	)
	check(least >= 18.0, "its clearance is never below its radius (least %f)" % least)
	check(agent.get_path_length() > 1100.0, "the path goes around the walls")
	body.free()
	region.free()


func signals_come_as_those_of_navigation_agent() -> void:
	var region := make_region(make_town())
	root.add_child(region)
	var agent := make_agent(Vector2(50, 50), 10.0)
	var body: Node2D = agent.get_parent()
	root.add_child(body)
	agent.max_speed = 300.0
	var log: Array[String] = []
	var velocities: Array[Vector2] = []
	agent.path_changed.connect(func() -> void: log.append("path_changed"))
	agent.target_reached.connect(func() -> void: log.append("target_reached"))
	agent.navigation_finished.connect(func() -> void: log.append("navigation_finished"))
	agent.waypoint_reached.connect(
		func(details: Dictionary) -> void:
			log.append("waypoint_reached")
			if not details.get("position") is Vector2 or not details.get("index") is int:
				log.append("bad details")
	)
	agent.velocity_computed.connect(
		func(velocity: Vector2) -> void:
			velocities.append(velocity)
			body.position += velocity / Engine.physics_ticks_per_second
	)
	check(not agent.is_navigation_finished(), "navigation is not finished before there is a target")
	agent.target_position = Vector2(320, 500)
	check_equal(log, [] as Array[String], "setting a target emits nothing by itself")

	var frames := 0
	while frames < 600 and not agent.is_navigation_finished():
		var next: Vector2 = agent.get_next_path_position()
		agent.velocity = body.position.direction_to(next) * agent.max_speed
		await physics_frame
		frames += 1
	await wait_frames(5)

	check_equal(log.count("path_changed"), 1, "path_changed is emitted once")
	check_equal(log[0], "path_changed", "path_changed comes first")
	check_equal(log.count("target_reached"), 1, "target_reached is emitted once")
	check_equal(log.count("navigation_finished"), 1, "navigation_finished is emitted once")
	check_equal(
		log.slice(-2),
		["target_reached", "navigation_finished"] as Array[String],
		"navigation_finished follows target_reached at the end"
	)
	check(log.count("waypoint_reached") >= 2, "waypoint_reached is emitted on the way")
	check(not log.has("bad details"), "waypoint_reached has position and index")
	check_equal(velocities.size(), frames, "velocity_computed answers each velocity once")
	check(
		velocities.all(func(v: Vector2) -> bool: return v.length() <= 300.01),
		"safe velocities are at most max_speed"
	)
	log.clear()
	agent.target_position = Vector2(320, 500)
	check(not agent.is_target_reached(), "a new target is not reached yet")
	agent.get_next_path_position()
	check_equal(log[-1], "navigation_finished", "the same target again finishes again")
	body.free()
	region.free()


func safe_velocity_never_lets_an_agent_into_a_wall() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 7
	var polygons := make_random_polygons(random, 22)
	var region := make_region(polygons)
	root.add_child(region)
	var least := INF
	var moved := 0.0
	for round in 6:
		var radius: float = [0.0, 3.0, 9.0, 15.0, 24.0, 40.0][round]
		var agent := make_agent(find_free_point(random, polygons, radius + 1.0), radius)
		var body: Node2D = agent.get_parent()
		root.add_child(body)
		agent.max_speed = 5000.0
		agent.velocity_computed.connect(
			func(velocity: Vector2) -> void:
				body.position += velocity / Engine.physics_ticks_per_second
		)
		for i in 400:
			var before := body.position
			agent.velocity = Vector2.from_angle(random.randf() * TAU) * random.randf_range(0, 9000)
			await physics_frame
			least = minf(least, find_clearance(polygons, body.position) - radius)
			moved += before.distance_to(body.position)
		body.free()
	check(least >= 0.0, "wild velocities never bring an agent closer than its radius (%f)" % least)
	check(moved > 10000.0, "and they do move it (%d px)" % moved)
	region.free()


func agents_walk_through_random_levels() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 2024
	var least := INF
	var arrived := 0
	var reachable := 0
	for round in 12:
		var polygons := make_random_polygons(random, random.randi_range(5, 30))
		var region := make_region(polygons)
		root.add_child(region)
		var radius := random.randf_range(1.0, 25.0)
		var agent := make_agent(find_free_point(random, polygons, radius + 0.1), radius)
		var body: Node2D = agent.get_parent()
		root.add_child(body)
		agent.auto_move = true
		agent.max_speed = 600.0
		agent.path_desired_distance = random.randf_range(1.0, 80.0)
		agent.target_position = find_free_point(random, polygons, radius + 0.1)
		reachable += 1 if agent.is_target_reachable() else 0
		for i in 400:
			await physics_frame
			least = minf(least, find_clearance(polygons, body.position) - radius)
			if agent.is_navigation_finished():
				break
		arrived += 1 if agent.is_target_reached() else 0
		body.free()
		region.free()
	check(least >= 0.0, "no agent comes closer than its radius in random levels (%f)" % least)
	check(reachable >= 6, "most random targets are reachable (%d of 12)" % reachable)
	check_equal(arrived, reachable, "all reachable targets are reached")


# The code of the manual: walk straight to the next position, without asking for a safe velocity.
func scripts_that_steer_by_themselves_arrive() -> void:
	var polygons := make_town()
	var region := make_region(polygons)
	root.add_child(region)
	for distance: float in [0.5, 20.0, 100.0]:
		var agent := make_agent(Vector2(60, 60), 15.0)
		var body: Node2D = agent.get_parent()
		root.add_child(body)
		agent.path_desired_distance = distance
		agent.max_speed = 240.0
		agent.target_position = Vector2(930, 560)
		var least := INF
		for i in 900:
			if agent.is_navigation_finished():
				break
			body.position = body.position.move_toward(agent.get_next_path_position(), 4.0)
			least = minf(least, find_clearance(polygons, body.position))
			await physics_frame
		check(agent.is_target_reached(), "walking to the next position arrives (%.1f)" % distance)
		check(
			least >= 15.0,
			"and keeps the radius (path_desired_distance %.1f, %f)" % [distance, least]
		)
		body.free()
	region.free()


func unreachable_targets_end_the_navigation() -> void:
	var wall := make_box(Rect2(480, -10, 40, 620))
	var region := make_region([wall, make_box(Rect2(100, 100, 100, 100))])
	root.add_child(region)
	var agent := make_agent(Vector2(50, 300), 10.0)
	var body: Node2D = agent.get_parent()
	root.add_child(body)
	agent.auto_move = true
	agent.max_speed = 600.0
	var log: Array[String] = []
	agent.target_reached.connect(func() -> void: log.append("target_reached"))
	agent.navigation_finished.connect(func() -> void: log.append("navigation_finished"))

	agent.target_position = Vector2(900, 300)
	check(not agent.is_target_reachable(), "a target behind a wall is not reachable")
	await wait_frames(60)
	check_equal(
		log, ["navigation_finished"] as Array[String], "navigation finishes without arriving"
	)

	log.clear()
	agent.target_position = Vector2(150, 150)
	check(not agent.is_target_reachable(), "a target inside an obstacle is not reachable")
	await wait_frames(60)
	check_equal(log, ["navigation_finished"] as Array[String], "navigation finishes beside it")
	var end: Vector2 = agent.get_final_position()
	check_near(
		end.distance_to(Vector2(150, 150)), 60.0, 1.0, "the path ends at the nearest point to it"
	)
	check(
		body.position.distance_to(end) <= agent.path_desired_distance,
		"where the agent stands within path_desired_distance"
	)

	# An agent that starts too close to a wall, or inside of it, walks out and on.
	for start: Vector2 in [Vector2(95, 150), Vector2(120, 150)]:
		body.position = start
		agent.target_position = Vector2(50, 500)
		await wait_frames(90)
		check(agent.is_target_reached(), "an agent leaves the wall it stands in, from %s" % start)
	body.free()
	region.free()


func an_obstacle_on_the_way_changes_the_path() -> void:
	var region := make_region([])
	root.add_child(region)
	var agent := make_agent(Vector2(100, 300), 10.0)
	root.add_child(agent.get_parent())
	agent.target_position = Vector2(900, 300)
	var changes := [0]
	agent.path_changed.connect(func() -> void: changes[0] += 1)
	agent.get_next_path_position()
	var straight := agent.get_path_length()
	check_near(straight, 800.0, 0.1, "the path through an empty level is straight")

	var crate := server.obstacle_create()
	server.obstacle_set_vertices(crate, make_box(Rect2(-40, -100, 80, 200)))
	server.obstacle_set_position(crate, Vector2(500, 300))
	server.obstacle_set_map(crate, region.get_navigation_map())
	await physics_frame
	agent.get_next_path_position()
	check(agent.get_path_length() > straight + 10.0, "an obstacle that appears changes the path")
	check_equal(changes[0], 2, "which is told by path_changed")
	server.free_rid(crate)
	await physics_frame
	agent.get_next_path_position()
	check_near(agent.get_path_length(), straight, 0.1, "without it the path is straight again")
	agent.get_parent().free()
	region.free()


func large_and_small_agents_take_different_ways() -> void:
	# A wall with a gap of 30 in its middle and one of 120 at its end.
	var region := make_region(
		[make_box(Rect2(480, 0, 40, 285)), make_box(Rect2(480, 315, 40, 165))]
	)
	root.add_child(region)
	var lengths: Array[float] = []
	for radius: float in [10.0, 14.9, 15.0, 20.0, 50.0, 70.0]:
		var agent := make_agent(Vector2(300, 300), radius)
		root.add_child(agent.get_parent())
		agent.target_position = Vector2(700, 300)
		agent.get_next_path_position()
		lengths.append(agent.get_path_length())
		agent.get_parent().free()
	check_near(lengths[0], 400.0, 0.1, "a small agent takes the narrow gap")
	check_near(lengths[1], 400.0, 0.1, "as does one that only just fits")
	check_near(lengths[2], 400.0, 0.1, "and one that is exactly as wide")
	check(lengths[3] > 420.0, "a larger one takes the wide gap on the same map")
	check(lengths[4] > 420.0, "and so does one that nearly fills it")
	check_equal(lengths[5], 0.0, "one that fits nowhere has no path")
	region.free()
