# SPDX-License-Identifier: MIT
# Every scene of the demo runs, and the walker of the first one tours the town.
extends "checker.gd"


func run() -> void:
	for file in DirAccess.get_files_at("res://scenes"):
		if file.get_extension() == "tscn" and file.left(2).is_valid_int():
			change_scene_to_file("res://scenes/" + file)
			await wait_frames(30)
			check(current_scene != null and current_scene.is_inside_tree(), "%s runs" % file)
			current_scene.free()

	change_scene_to_file("res://scenes/01_first_steps.tscn")
	await wait_frames(2)
	var walker: Node2D = current_scene.get_node("Walker")
	var agent: CorridorAgent = walker.get_node("Agent")
	var map := agent.get_navigation_map()
	var arrivals := [0]
	agent.target_reached.connect(func() -> void: arrivals[0] += 1)
	var least := INF
	for i in 2400:
		await physics_frame
		least = minf(least, server.map_get_clearance(map, walker.position) - agent.radius)
	check(arrivals[0] >= 3, "the walker reaches one place after the other (%d)" % arrivals[0])
	check(least >= 0.0, "and never comes closer to a wall than its radius (%f)" % least)
	check(current_scene.get_node("Track").points.size() > 2, "its track is drawn")
	current_scene.free()
