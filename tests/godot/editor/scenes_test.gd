# SPDX-License-Identifier: MIT
# What a designer does, in every scene of the demo: open it, select the region,
# bake, undo, redo, drag the probe, save, open it again.
@tool
extends RefCounted

const ProbeTest := preload("probe_test.gd")
const SpaceTest := preload("space_test.gd")

const CORRIDOR := Color(0.30, 0.62, 1.0)
const ROUTE := Color(1.0, 0.85, 0.25)

var driver: EditorPlugin
var mouse: ProbeTest


func _init(test_driver: EditorPlugin) -> void:
	driver = test_driver
	mouse = ProbeTest.new(test_driver)


func run() -> void:
	mouse.tools = EditorInterface.get_base_control().get_parent().find_children(
		"*", "CorridorEditorPlugin", true, false
	)[0]
	for file in DirAccess.get_files_at("res://scenes"):
		if file.get_extension() == "tscn" and file.left(2).is_valid_int():
			await work_on("res://scenes/" + file, file.get_basename())


func work_on(path: String, name: String) -> void:
	EditorInterface.open_scene_from_path(path)
	await driver.wait_frames(8)
	var scene := EditorInterface.get_edited_scene_root()
	driver.check(scene != null and scene.scene_file_path == path, "%s opens" % name)
	var found := find_region(scene)
	driver.check(found != null, "%s has a region" % name)
	if found is CorridorRegion3D:
		await work_in_3d(found, path, name)
		return
	var region: CorridorRegion2D = found
	mouse.region = region
	EditorInterface.set_main_screen_editor("2D")
	var agents := scene.find_children("*", "CorridorAgent", true, false)
	var radius := 10.0
	if not agents.is_empty():
		EditorInterface.edit_node(agents[0]) # lends the probe its radius
		radius = agents[0].radius
		await driver.wait_frames(5)
	await driver.show_whole(region)
	await bake(region, name)
	await drag_probe(region, radius, name)
	await save_and_reopen(path, name)


func find_region(scene: Node) -> Node:
	for kind: String in ["CorridorRegion2D", "CorridorRegion3D"]:
		var regions := scene.find_children("*", kind, true, false)
		if not regions.is_empty():
			return regions[0]
	return null


func work_in_3d(region: CorridorRegion3D, path: String, name: String) -> void:
	mouse.region = region
	EditorInterface.set_main_screen_editor("3D")
	EditorInterface.edit_node(region.get_child(0))
	await driver.wait_frames(10)
	await driver.frame_selection(EditorInterface.get_editor_viewport_3d(0).get_parent())
	await SpaceTest.new(driver).zoom_out(9)
	EditorInterface.edit_node(region)
	await driver.wait_frames(20)
	await bake(region, name)
	await drag_probe_in_space(region, name)
	if driver.has_pictures():
		var picture: Image = await driver.take_picture(name)
		driver.check(driver.count_colors(picture) > 200, "%s: its picture is not blank" % name)
	await save_and_reopen(path, name)


func bake(region: Node, name: String) -> void:
	var button := mouse.find_button("Bake Corridor Map")
	driver.check(button != null, "%s: its region has the tools" % name)
	var at := button.get_global_rect().get_center()
	await mouse.move_mouse(at)
	await mouse.press_button(at, true)
	await mouse.press_button(at, false)
	var end := Time.get_ticks_msec() + 20_000
	while (region.is_baking() or not region.is_baked()) and Time.get_ticks_msec() < end:
		await driver.wait_frames(2)
	await driver.wait_frames(5)
	driver.check(region.is_baked() and not region.is_bake_stale(), "%s: a click bakes it" % name)
	mouse.undo(false)
	driver.check(not region.is_baked(), "%s: undo takes the bake back" % name)
	mouse.undo(true)
	driver.check(region.is_baked(), "%s: redo brings it again" % name)


func drag_probe(region: CorridorRegion2D, radius: float, name: String) -> void:
	var map := region.get_navigation_map()
	var bounds := region.get_global_transform() * region.bounds
	var before: Dictionary = mouse.tools._get_probe()
	# From one corner of the level to the opposite one.
	var start := bounds.position + bounds.size * Vector2(0.08, 0.9)
	var goal := bounds.position + bounds.size * Vector2(0.92, 0.12)
	start = NavCorridorServer.map_get_closest_point(map, start, radius)
	goal = NavCorridorServer.map_get_closest_point(map, goal, radius)
	await mouse.drag(before.start, start)
	await mouse.drag(mouse.tools._get_probe().goal, goal)
	var after: Dictionary = mouse.tools._get_probe()
	var near := 0.01 * bounds.size.x
	driver.check(
		after.start.distance_to(start) < near and after.goal.distance_to(goal) < near,
		"%s: the probe follows the mouse" % name
	)
	driver.check(after.is_reachable, "%s: and finds a way" % name)
	if driver.has_pictures():
		var picture: Image = await driver.take_picture(name)
		var seen: int = driver.count_pixels(picture, CORRIDOR) + driver.count_pixels(picture, ROUTE)
		driver.check(seen > 500, "%s: its corridor and its route are seen (%d pixels)" % [name, seen])
	mouse.undo(false)
	driver.check(mouse.tools._get_probe().goal == before.goal, "%s: undo moves it back" % name)
	mouse.undo(true)


func drag_probe_in_space(region: CorridorRegion3D, name: String) -> void:
	var space := SpaceTest.new(driver)
	space.region = region
	space.tools = mouse.tools
	var before: Dictionary = mouse.tools._get_probe()
	var goal := before.start.lerp(before.goal, 0.9) as Vector2
	goal = NavCorridorServer.map_get_closest_point(region.get_navigation_map(), goal, before.radius)
	await space.drag(before.goal, goal)
	var after: Dictionary = mouse.tools._get_probe()
	driver.check(
		after.goal.distance_to(goal) < 0.3, "%s: the probe follows the mouse (%s)" % [name, after.goal]
	)
	driver.check(after.is_reachable, "%s: and finds a way" % name)
	mouse.undo(false)
	driver.check(mouse.tools._get_probe().goal == before.goal, "%s: undo moves it back" % name)
	mouse.undo(true)


func save_and_reopen(path: String, name: String) -> void:
	driver.check(EditorInterface.save_scene() == OK, "%s is saved" % name)
	EditorInterface.reload_scene_from_path(path)
	await driver.wait_frames(8)
	var scene := EditorInterface.get_edited_scene_root()
	var region := find_region(scene)
	driver.check(region.is_baked() and not region.is_bake_stale(), "%s: the bake is in the file" % name)
	var point := NavCorridorServer.map_get_random_point(region.get_navigation_map(), 0.0)
	driver.check(
		NavCorridorServer.map_get_clearance(region.get_navigation_map(), point) > 0.0,
		"%s: and answers after it is opened again" % name
	)
