# SPDX-License-Identifier: MIT
# Drives the editor for tests/editor.sh: opens the first demo scene, changes it, looks at pictures.
# NC_EDITOR_TEST names the folder for pictures, or is "headless".
@tool
extends EditorPlugin

const SCENE := "res://scenes/01_first_steps.tscn"
const ProbeTest := preload("probe_test.gd")
const ShapesTest := preload("shapes_test.gd")
const SpaceTest := preload("space_test.gd")
const ScenesTest := preload("scenes_test.gd")

var failures := 0


func _enter_tree() -> void:
	if OS.get_environment("NC_EDITOR_TEST") != "":
		run.call_deferred()


func run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await wait_frames(1)
	await wait_frames(10)
	EditorInterface.open_scene_from_path(SCENE)
	EditorInterface.set_main_screen_editor("2D")
	await wait_frames(10)
	var region: CorridorRegion2D = EditorInterface.get_edited_scene_root().get_node("Region")
	EditorInterface.edit_node(region)
	await wait_frames(10)
	check(region != null, "the region of the demo opens in the editor")
	check_classes()
	await the_region_follows_changes(region)
	await the_agent_has_no_side_effects()
	await warnings_are_shown()
	await ProbeTest.new(self).run(region)
	await ShapesTest.new(self).run(region)
	if has_pictures():
		await check_pictures(region)
	await SpaceTest.new(self).run(null)
	if has_pictures():
		await ScenesTest.new(self).run() # saves all scenes, so it is the last
	print("sentinel")
	get_tree().quit(1 if failures > 0 else 0)


func has_pictures() -> bool:
	return OS.get_environment("NC_EDITOR_TEST") != "headless"


func check(condition: bool, name: String) -> void:
	print("ok - " if condition else "not ok - ", name)
	if not condition:
		failures += 1


func wait_frames(count: int) -> void:
	for i in count:
		await get_tree().process_frame


func check_classes() -> void:
	for name: String in [
		"NavCorridorServer", "CorridorAgent", "CorridorRegion2D", "CorridorRegion3D",
		"CorridorObstacle2D", "CorridorObstacle3D", "CorridorTerrain2D", "CorridorTerrain3D",
		"CorridorMapData", "TerrainProfile", "CorridorPathQueryParameters",
		"CorridorPathQueryResult"
	]:
		var icon := "res://addons/nav_corridor/icons/%s.svg" % name
		check(ResourceLoader.exists(icon) and load(icon) is Texture2D, "%s has an icon" % name)
	check(Engine.has_singleton("NavCorridorServer"), "the server is there")


# Without any call the region sees that its children changed.
func the_region_follows_changes(region: CorridorRegion2D) -> void:
	var map := region.get_navigation_map()
	var inn: Polygon2D = region.get_node("Inn")
	var place := inn.position
	var beside := place + Vector2(-30, 40)
	var before := NavCorridorServer.map_get_clearance(map, beside)
	check(before > 0.0, "the map is there in the editor (%f)" % before)
	inn.position = place + Vector2(-15, 0)
	await wait_frames(60)
	var after := NavCorridorServer.map_get_clearance(map, beside)
	check(absf(after - (before - 15.0)) < 0.01, "the map follows a child that moves (%f)" % after)
	inn.position = place
	await wait_frames(60)
	check(
		absf(NavCorridorServer.map_get_clearance(map, beside) - before) < 0.01,
		"and follows it back"
	)


# Agents do not walk in the editor.
func the_agent_has_no_side_effects() -> void:
	var walker: Node2D = EditorInterface.get_edited_scene_root().get_node("Walker")
	var agent: CorridorAgent = walker.get_node("Agent")
	var place := walker.position
	agent.target_position = Vector2(700, 640)
	await wait_frames(30)
	check(walker.position == place, "an agent does not walk in the editor")
	check(agent.get_current_navigation_path().size() >= 2, "but it shows its path")
	var types := {}
	for property in agent.get_property_list():
		types[property.name] = property.type
	check(
		types["target_position"] == TYPE_VECTOR2, "the Inspector knows that the target is a Vector2"
	)


# Nodes that cannot work have a warning in the Scene dock, and lose it when they can.
func warnings_are_shown() -> void:
	var scene := EditorInterface.get_edited_scene_root()
	var plain := Node.new()
	var agent := CorridorAgent.new()
	plain.add_child(agent)
	scene.add_child(plain)
	plain.owner = scene
	agent.owner = scene
	agent.name = "LostAgent"
	var region := CorridorRegion2D.new()
	region.bounds = Rect2()
	scene.add_child(region)
	region.owner = scene
	region.name = "EmptyRegion"
	var obstacle := CorridorObstacle2D.new()
	scene.add_child(obstacle)
	obstacle.owner = scene
	obstacle.name = "EmptyObstacle"
	var terrain := CorridorTerrain2D.new()
	terrain.radius = 10.0
	terrain.position = Vector2(-5000, 0)
	scene.add_child(terrain)
	terrain.owner = scene
	terrain.name = "FarTerrain"
	await wait_seconds(3.0) # the dock updates by a timer
	check(find_warning("LostAgent").contains("must be a Node2D"), "a lost agent has a warning")
	check(find_warning("EmptyRegion").contains("no area"), "an empty region has a warning")
	check(find_warning("EmptyObstacle").contains("no shape"), "an empty obstacle has a warning")
	check(
		find_warning("FarTerrain").contains("no corridor map"), "terrain in no region has a warning"
	)
	region.bounds = Rect2(0, 0, 100, 100)
	agent.reparent(region)
	agent.navigation_layers = 8
	await wait_seconds(3.0)
	check(find_warning("LostAgent").contains("no map"), "an agent that finds no map has one")
	agent.navigation_layers = 1
	check(find_warning("EmptyRegion").contains("no obstacles"), "a region without obstacles has one")
	region.add_child(Polygon2D.new())
	region.get_child(-1).polygon = [Vector2(10, 10), Vector2(30, 10), Vector2(10, 30)]
	obstacle.radius = 10.0
	terrain.position = Vector2.ZERO
	await wait_seconds(3.0)
	check(find_warning("LostAgent") == "", "the agent's warning goes away")
	check(find_warning("EmptyRegion") == "", "the region's warning goes away")
	check(find_warning("EmptyObstacle") == "", "the obstacle's warning goes away")
	check(find_warning("FarTerrain") == "", "the terrain's warning goes away")
	obstacle.free()
	terrain.free()
	plain.free()
	region.free()
	await wait_frames(10)


func wait_seconds(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout


# The tooltips of the buttons beside a node in the Scene dock.
func find_warning(node_name: String) -> String:
	for dock in EditorInterface.get_base_control().find_children(
		"*", "SceneTreeEditor", true, false
	):
		for tree: Tree in dock.find_children("*", "Tree", true, false):
			var item := tree.get_root()
			while item != null:
				if item.get_text(0) == node_name:
					return join_warnings(item)
				item = item.get_next_in_tree()
	return "the node is not in the dock"


func is_warning(text: String) -> bool:
	for part: String in ["must be", "no area", "no shape", "no corridor map", "no map", "no obstacles"]:
		if text.contains(part):
			return true
	return false


func join_warnings(item: TreeItem) -> String:
	var texts := ""
	for i in item.get_button_count(0):
		var text := item.get_button_tooltip_text(0, i)
		if is_warning(text):
			texts += text
	return texts


# ---- Pictures


func check_pictures(region: CorridorRegion2D) -> void:
	await show_whole(region)
	var picture := await take_picture("region")
	check(count_colors(picture) > 200, "the picture of the region is not blank")
	var axis := count_pixels(picture, region.medial_axis_color)
	check(axis > 500, "it shows the medial axis (%d pixels)" % axis)
	# The route of the probe stays, a part of it in the same color.
	region.show_medial_axis = false
	picture = await take_picture("region_without_axis")
	var rest := count_pixels(picture, region.medial_axis_color)
	check(rest < axis / 5, "which is gone when it is switched off (%d pixels)" % rest)
	region.show_medial_axis = true

	EditorInterface.set_main_screen_editor("Script")
	EditorInterface.get_script_editor().goto_help("class_name:CorridorAgent")
	await wait_frames(20)
	picture = await take_picture("help")
	check(count_colors(picture) > 50, "the class help opens")
	check(
		find_text(EditorInterface.get_script_editor(), "without ever coming closer"),
		"with its description"
	)


# Zoom to the ground, and select the region.
func show_whole(region: CorridorRegion2D) -> void:
	EditorInterface.edit_node(EditorInterface.get_edited_scene_root().get_node("Ground"))
	await wait_frames(10)
	await frame_selection()
	EditorInterface.edit_node(region)
	await wait_frames(10)


# Press Shift and F over the 2D view, or F in 3D: the editor zooms to what is selected, which needs a
# size.
func frame_selection(view: Control = EditorInterface.get_editor_viewport_2d().get_parent()) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = view.get_global_rect().get_center()
	motion.global_position = motion.position
	Input.parse_input_event(motion)
	await wait_frames(5)
	for is_pressed: bool in [true, false]:
		var key := InputEventKey.new()
		key.keycode = KEY_F
		key.physical_keycode = KEY_F
		key.shift_pressed = view == EditorInterface.get_editor_viewport_2d().get_parent()
		key.pressed = is_pressed
		Input.parse_input_event(key)
		await wait_frames(5)


func take_picture(name: String) -> Image:
	await wait_frames(8)
	EditorInterface.get_base_control().queue_redraw()
	await RenderingServer.frame_post_draw
	var picture := get_tree().root.get_texture().get_image()
	var path := "%s/%s.png" % [OS.get_environment("NC_EDITOR_TEST"), name]
	check(picture.save_png(path) == OK, "%s.png is saved" % name)
	return picture


func count_colors(picture: Image) -> int:
	var colors := {}
	for y in range(0, picture.get_height(), 4):
		for x in range(0, picture.get_width(), 4):
			colors[picture.get_pixel(x, y).to_rgba32()] = true
	return colors.size()


# Only in the 2D view: the Inspector shows the color too.
func count_pixels(picture: Image, color: Color) -> int:
	var view: Control = EditorInterface.get_editor_viewport_2d().get_parent()
	var rect := Rect2i(view.get_global_rect()).intersection(
		Rect2i(Vector2i.ZERO, picture.get_size())
	)
	var count := 0
	for y in range(rect.position.y, rect.end.y, 2): # every second row is enough
		for x in range(rect.position.x, rect.end.x):
			var pixel := picture.get_pixel(x, y)
			var distance := absf(pixel.r - color.r) + absf(pixel.g - color.g) + absf(
				pixel.b - color.b
			)
			count += 2 if distance < 0.06 else 0
	return count


func find_text(node: Node, text: String) -> bool:
	if node is RichTextLabel and node.get_parsed_text().contains(text):
		return true
	for child in node.get_children(true):
		if find_text(child, text):
			return true
	return false
