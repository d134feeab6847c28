# SPDX-License-Identifier: MIT
# The same agent under a Node3D: the map is the plane (x, z), and the height is left alone.
extends "checker.gd"


func run() -> void:
	var map := server.map_create()
	server.map_set_bounds(map, Rect2(0, 0, 40, 30))
	var polygons: Array[PackedVector2Array] = [make_box(Rect2(15, 5, 5, 20))]
	var wall := server.obstacle_create()
	server.obstacle_set_vertices(wall, polygons[0])
	server.obstacle_set_map(wall, map)
	server.map_set_active(map, true)

	var body := Node3D.new()
	body.position = Vector3(5, 1.5, 15)
	var agent := CorridorAgent.new()
	agent.radius = 0.5
	agent.max_speed = 6.0
	agent.path_desired_distance = 0.5
	agent.target_desired_distance = 0.25
	agent.auto_move = true
	body.add_child(agent)
	root.add_child(body)
	check_equal(agent.get_navigation_map(), map, "an active map of the server is found")

	var velocities := []
	agent.velocity_computed.connect(func(velocity: Variant) -> void: velocities.append(velocity))
	agent.target_position = Vector3(35, 1.5, 15)
	check_equal(agent.target_position, Vector3(35, 1.5, 15), "the target is a Vector3")
	check(agent.get_next_path_position() is Vector3, "the next position is a Vector3")
	check(agent.get_current_navigation_path() is PackedVector3Array, "the path has Vector3s")
	check_near(agent.distance_to_target(), 30.0, 0.001, "the distance is measured in the plane")

	var least := INF
	for i in 900:
		await physics_frame
		least = minf(
			least, find_wall_distance(polygons[0], Vector2(body.position.x, body.position.z))
		)
		if agent.is_navigation_finished():
			break
	check(agent.is_target_reached(), "the agent reaches its target")
	check(least >= 0.5, "its clearance is never below its radius (%f)" % least)
	check_equal(body.position.y, 1.5, "its height does not change")
	check(velocities.all(func(v: Variant) -> bool: return v is Vector3), "velocities are Vector3s")

	check(get_range(agent, "radius").ends_with("suffix:m"), "the inspector shows meters")
	check(get_range(agent, "max_speed").ends_with("suffix:m/s"), "and meters per second")

	agent.target_position = Vector2(5, 10)
	check_equal(agent.target_position, Vector3(5, 0, 10), "a Vector2 is a place in the plane")
	agent.reparent(root)
	check_equal(agent.target_position, Vector2(5, 10), "without such a parent it is what was given")
	check(get_range(agent, "radius").ends_with("suffix:px"), "and otherwise pixels")
	await wait_frames(3)
	agent.free()
	body.free()
	server.free_rid(wall)
	server.free_rid(map)


func get_range(agent: CorridorAgent, name: String) -> String:
	for property in agent.get_property_list():
		if property.name == name:
			return property.hint_string
	return ""


func find_wall_distance(points: PackedVector2Array, point: Vector2) -> float:
	var distance := INF
	for i in points.size():
		var foot := Geometry2D.get_closest_point_to_segment(
			point, points[i], points[(i + 1) % points.size()]
		)
		distance = minf(distance, point.distance_to(foot))
	return -distance if is_inside(points, point) else distance
