# SPDX-License-Identifier: MIT
# The steps of docs/godot.md in a project that has the add-on and nothing else: a region, two houses,
# a walker with an agent, a target. tests/export.sh runs it.
extends "checker.gd"


func run() -> void:
	var level := make_level()
	root.add_child(level)
	var agent: CorridorAgent = level.get_node("Walker/CorridorAgent")
	var walker: Node2D = level.get_node("Walker")
	agent.target_position = Vector2(1000, 500)
	check(agent.is_target_reachable(), "the map answers at once")
	var map := agent.get_navigation_map()
	var least := INF
	for i in 1200:
		await physics_frame
		least = minf(least, server.map_get_clearance(map, walker.position))
		if agent.is_navigation_finished():
			break
	check(agent.is_target_reached(), "the agent walks to its target")
	check(walker.position.distance_to(Vector2(1000, 500)) <= 10.0, "and stands there")
	check(least >= agent.radius - 0.001, "its radius fits all the way (least %f)" % least)
	level.free()


func make_level() -> Node2D:
	var level := Node2D.new()
	var region := CorridorRegion2D.new()
	region.name = "CorridorRegion2D"
	for rect: Rect2 in [Rect2(200, 100, 200, 400), Rect2(600, 0, 150, 480)]:
		region.add_child(make_polygon(make_box(rect)))
	level.add_child(region)
	var walker := Node2D.new()
	walker.name = "Walker"
	walker.position = Vector2(100, 100)
	level.add_child(walker)
	var agent := CorridorAgent.new()
	agent.name = "CorridorAgent"
	agent.radius = 20.0
	agent.auto_move = true
	walker.add_child(agent)
	return level
