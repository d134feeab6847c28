# SPDX-License-Identifier: MIT
# Drives the tools of the editor plugin with the mouse: the toolbar, the probe, undo and redo.
@tool
extends RefCounted

const HELD := true

var driver: EditorPlugin
var tools: EditorPlugin
var region: Node # a region of either kind


func _init(test_driver: EditorPlugin) -> void:
	driver = test_driver


func run(test_region: Node) -> void:
	region = test_region
	var root := EditorInterface.get_base_control().get_parent()
	var found := root.find_children("*", "CorridorEditorPlugin", true, false)
	driver.check(found.size() == 1, "the editor plugin is there")
	tools = found[0]
	await the_toolbar_is_shown_for_our_nodes()
	await driver.show_whole(region)
	await the_probe_is_dragged()
	await the_probe_says_why_there_is_no_way()
	await the_menu_switches_what_is_shown()


func find_button(text: String) -> Button:
	for button: Button in EditorInterface.get_base_control().find_children("*", "Button", true, false):
		if button.text == text and button.is_visible_in_tree():
			return button
	return null


func the_toolbar_is_shown_for_our_nodes() -> void:
	var scene := EditorInterface.get_edited_scene_root()
	EditorInterface.edit_node(scene.get_node("Ground"))
	await driver.wait_frames(5)
	driver.check(find_button("Bake Corridor Map") == null, "no tools for what is not ours")
	EditorInterface.edit_node(scene.get_node("Walker/Agent"))
	await driver.wait_frames(5)
	driver.check(find_button("Bake Corridor Map") != null, "an agent has the tools")
	driver.check(tools._get_probe().radius == 12.0, "and lends the probe its radius")
	EditorInterface.edit_node(region)
	await driver.wait_frames(5)
	driver.check(find_button("Bake Corridor Map") != null, "a region has the tools")


func the_probe_is_dragged() -> void:
	var before: Dictionary = tools._get_probe()
	driver.check(before.is_reachable, "the probe is on the map from the begin")
	var blue := await count_corridor("probe_before")
	await drag(before.start, Vector2(282, 590))
	var after: Dictionary = tools._get_probe()
	driver.check(after.start.distance_to(Vector2(282, 590)) < 2.0, "its start follows the mouse")
	driver.check(after.goal == before.goal, "its goal stays")
	driver.check(after.length < before.length, "the route is another one")
	var more_blue := await count_corridor("probe")
	if driver.has_pictures():
		driver.check(blue > 300 and more_blue > 300, "corridors are seen (%d, %d)" % [blue, more_blue])
		driver.check(absi(blue - more_blue) > 50, "which follow the probe")
	await drag(after.goal, Vector2(560, 420))
	var inside: Dictionary = tools._get_probe()
	driver.check(
		NavCorridorServer.map_get_clearance(region.get_navigation_map(), inside.goal) > 11.99,
		"a handle that is dropped on an obstacle snaps to where the disc fits"
	)
	undo(false)
	driver.check(tools._get_probe().goal.distance_to(before.goal) < 0.01, "undo moves it back")
	undo(true)
	driver.check(tools._get_probe().goal.distance_to(inside.goal) < 0.01, "redo moves it again")
	undo(false)
	undo(false)
	driver.check(tools._get_probe().start.distance_to(before.start) < 0.01, "undo moves the start")
	undo(true)
	driver.check(not get_unsaved(), "moving the probe does not change the scene")


# The tab of a scene that must be saved has a star.
func get_unsaved() -> bool:
	var name := EditorInterface.get_edited_scene_root().scene_file_path.get_file().get_basename()
	for tabs: TabBar in EditorInterface.get_base_control().find_children("*", "TabBar", true, false):
		for i in tabs.tab_count:
			if tabs.get_tab_title(i).contains(name):
				return tabs.get_tab_title(i).contains("*")
	driver.check(false, "the scene has a tab")
	return false


func the_probe_says_why_there_is_no_way() -> void:
	tools._on_radius_changed(35.0)
	var probe: Dictionary = tools._get_probe()
	driver.check(not probe.is_reachable, "a disc that is too large does not get there")
	driver.check(probe.reason.contains("wide enough"), "and is told why: " + probe.reason)
	if driver.has_pictures():
		var picture: Image = await driver.take_picture("probe_blocked")
		var red: int = driver.count_pixels(picture, Color(1.0, 0.30, 0.27))
		driver.check(red > 100, "it is red (%d pixels)" % red)
	undo(false)
	driver.check(tools._get_probe().radius == 12.0, "undo brings its radius back")


func the_menu_switches_what_is_shown() -> void:
	tools._on_view_selected(0)
	driver.check(not region.show_medial_axis, "the menu hides the medial axis")
	undo(false)
	driver.check(region.show_medial_axis, "which can be undone")
	if driver.has_pictures():
		tools._on_view_selected(5)
		var blue := await count_corridor("probe_without_corridor")
		driver.check(blue < 100, "and the corridor of the probe (%d pixels)" % blue)
		tools._on_view_selected(5)


func count_corridor(name: String) -> int:
	if not driver.has_pictures():
		return 0
	var picture: Image = await driver.take_picture(name)
	return driver.count_pixels(picture, Color(0.30, 0.62, 1.0))


func undo(is_redo: bool) -> void:
	var manager := EditorInterface.get_editor_undo_redo()
	var history := manager.get_history_undo_redo(manager.get_object_history_id(region))
	var is_done := history.redo() if is_redo else history.undo()
	if not is_done:
		driver.check(false, "there is something to undo or redo")


# ---- The mouse


func get_screen_position(point: Vector2) -> Vector2:
	var view: Control = EditorInterface.get_editor_viewport_2d().get_parent()
	return view.get_global_transform_with_canvas() * (region.get_viewport_transform() * point)


func drag(from: Vector2, to: Vector2) -> void:
	var begin := get_screen_position(from)
	var end := get_screen_position(to)
	await move_mouse(begin)
	await press_button(begin, true)
	for i in 4:
		await move_mouse(begin.lerp(end, (i + 1) / 4.0), HELD)
	await press_button(end, false)


func move_mouse(at: Vector2, is_held := false) -> void:
	var event := InputEventMouseMotion.new()
	event.button_mask = MOUSE_BUTTON_MASK_LEFT if is_held else 0
	await send(event, at)


func press_button(at: Vector2, is_pressed: bool) -> void:
	var event := InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.button_mask = MOUSE_BUTTON_MASK_LEFT if is_pressed else 0
	event.pressed = is_pressed
	await send(event, at)


func send(event: InputEventMouse, at: Vector2) -> void:
	event.position = at
	event.global_position = at
	Input.parse_input_event(event)
	await driver.wait_frames(2)
