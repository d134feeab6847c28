# SPDX-License-Identifier: MIT
# The same script drives our agent and the engine's NavigationAgent2D through the same level; both
# must tell the same story.
extends "checker.gd"

const SIGNALS: Array[String] = ["path_changed", "target_reached", "navigation_finished"]


func run() -> void:
	var region := make_region([])
	root.add_child(region)
	# The engine's map would be ready whenever a thread is; here it is ready in the next frame.
	NavigationServer2D.map_set_use_async_iterations(root.world_2d.navigation_map, false)
	var theirs := make_navigation_region()
	NavigationServer2D.region_set_use_async_iterations(theirs.get_rid(), false)
	root.add_child(theirs)
	await wait_frames(10)
	for story: Array in [
		["one target", [Vector2(600, 300)]],
		["the place where it stands", [Vector2(100, 300)]],
		["a target outside", [Vector2(600, 900)]],
		["two targets, the second one on the way", [Vector2(900, 300), Vector2(300, 100)]],
		["the same target twice", [Vector2(300, 300), Vector2(300, 300)]],
	]:
		var ours := await tell(CorridorAgent.new(), story[1])
		var expected := await tell(make_navigation_agent(), story[1])
		check_equal(ours.log, expected.log, "%s: signals" % story[0])
		check_equal(ours.reached, expected.reached, "%s: is_target_reached()" % story[0])
		check_equal(ours.reachable, expected.reachable, "%s: is_target_reachable()" % story[0])
		check_equal(ours.finished, expected.finished, "%s: is_navigation_finished()" % story[0])
		# Who stands at the target already sets no velocity; the engine's agent answers anyway.
		if story[1] != [Vector2(100, 300)]:
			check(
				ours.answers > 0 and expected.answers > 0, "%s: both answer velocities" % story[0]
			)
		check_near(
			ours.end.distance_to(expected.end),
			0.0,
			25.0,
			"%s: both end at the same place" % story[0]
		)
	await names_are_the_same()
	region.free()
	theirs.free()


func make_navigation_region() -> NavigationRegion2D:
	var polygon := NavigationPolygon.new()
	polygon.vertices = make_box(BOUNDS.grow(-10.0))
	polygon.add_polygon(PackedInt32Array([0, 1, 2, 3]))
	var region := NavigationRegion2D.new()
	region.navigation_polygon = polygon
	return region


func make_navigation_agent() -> NavigationAgent2D:
	var agent := NavigationAgent2D.new()
	agent.avoidance_enabled = true
	return agent


# Walk to each target for a while, with the code of the manual.
func tell(agent: Node, targets: Array) -> Dictionary:
	var body := Node2D.new()
	body.position = Vector2(100, 300)
	body.add_child(agent)
	root.add_child(body)
	agent.max_speed = 300.0
	var log: Array[String] = []
	var answers := [0]
	for name in SIGNALS:
		agent.connect(name, func() -> void: log.append(name))
	agent.velocity_computed.connect(
		func(velocity: Vector2) -> void:
			answers[0] += 1
			body.position += velocity / Engine.physics_ticks_per_second
	)
	for target: Vector2 in targets:
		await wait_frames(2)
		log.append("target")
		agent.target_position = target
		for i in 240 if target == targets[-1] else 60:
			if agent.is_navigation_finished():
				break
			var next: Vector2 = agent.get_next_path_position()
			agent.velocity = body.position.direction_to(next) * 300.0
			await physics_frame
	var story := {
		"log": log,
		"reached": agent.is_target_reached(),
		"reachable": agent.is_target_reachable(),
		"finished": agent.is_navigation_finished(),
		"answers": answers[0],
		"end": body.position,
	}
	body.queue_free()
	await wait_frames(2)
	return story


# What a script for NavigationAgent2D uses is there under the same name, with the same default.
func names_are_the_same() -> void:
	var ours := CorridorAgent.new()
	var theirs := NavigationAgent2D.new()
	for name: String in [
		"radius",
		"max_speed",
		"path_desired_distance",
		"target_desired_distance",
		"path_max_distance",
		"debug_enabled"
	]:
		check_equal(ours.get(name), theirs.get(name), "default of %s" % name)
	for name: String in [
		"get_next_path_position", "get_current_navigation_path",
		"get_current_navigation_path_index",
		"get_final_position", "is_navigation_finished", "is_target_reached", "is_target_reachable",
		"distance_to_target", "set_navigation_map", "get_navigation_map", "get_path_length",
		"set_target_position", "get_target_position", "set_velocity", "get_velocity",
	]:
		check(ours.has_method(name) and theirs.has_method(name), "%s()" % name)
	for name: String in SIGNALS + ["waypoint_reached", "velocity_computed"]:
		check(ours.has_signal(name) and theirs.has_signal(name), "signal %s" % name)
	ours.free()
	theirs.free()
	await physics_frame
