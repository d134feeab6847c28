# SPDX-License-Identifier: MIT
# Every scene of the demo runs, and the walker of the first one tours the town.
extends "checker.gd"


func press(key: Key) -> void:
	for is_pressed: bool in [true, false]:
		var event := InputEventKey.new()
		event.keycode = key
		event.unicode = key if key < 128 else 0
		event.pressed = is_pressed
		Input.parse_input_event(event)
		await wait_frames(3)


func the_menu_opens_scenes_and_escape_leads_back() -> void:
	change_scene_to_file("res://scenes/menu.tscn")
	await wait_frames(3)
	check_equal(current_scene.name, &"Menu", "the menu opens")
	await press(KEY_1)
	check_equal(current_scene.name, &"FirstSteps", "the key 1 opens the first scene")
	await press(KEY_ESCAPE)
	check_equal(current_scene.name, &"Menu", "Esc leads back to the menu")
	await press(KEY_ENTER)
	check_equal(current_scene.name, &"FirstSteps", "Enter opens the chosen scene")
	await press(KEY_ESCAPE)
	current_scene.free()


# The scenes whose walkers go where a click says, or anywhere at the space bar.
func the_keyboard_will_do() -> void:
	for name: String in [
		"01_first_steps", "02_any_radius", "03_terrain", "04_designers_route", "06_methods"
	]:
		change_scene_to_file("res://scenes/%s.tscn" % name)
		await wait_frames(3)
		var before := list_targets()
		await press(KEY_SPACE)
		check(list_targets() != before, "%s: the space bar sends somebody elsewhere" % name)
		current_scene.free()


func list_targets() -> Array:
	return current_scene.find_children("*", "CorridorAgent", true, false).map(
		func(agent: CorridorAgent) -> Variant: return agent.target_position
	)


func run() -> void:
	for file in DirAccess.get_files_at("res://scenes"):
		if file.get_extension() == "tscn" and file.left(2).is_valid_int():
			change_scene_to_file("res://scenes/" + file)
			await wait_frames(30)
			check(current_scene != null and current_scene.is_inside_tree(), "%s runs" % file)
			current_scene.free()
	await the_menu_opens_scenes_and_escape_leads_back()
	await the_keyboard_will_do()
	change_scene_to_file("res://scenes/01_first_steps.tscn")
	await wait_frames(2)
	var walker: Node2D = current_scene.get_node("Walker")
	var agent: CorridorAgent = walker.get_node("Agent")
	var map := agent.get_navigation_map()
	var arrivals := [0]
	agent.target_reached.connect(func() -> void: arrivals[0] += 1)
	var least := INF
	var longest := 0
	for i in 2400:
		await physics_frame
		least = minf(least, server.map_get_clearance(map, walker.position) - agent.radius)
		longest = maxi(longest, (current_scene.get_node("Track") as Line2D).points.size())
	check(arrivals[0] >= 3, "the walker reaches one place after the other (%d)" % arrivals[0])
	check(least >= 0.0, "and never comes closer to a wall than its radius (%f)" % least)
	check(longest > 20, "its track is drawn (%d points)" % longest)
	current_scene.free()
