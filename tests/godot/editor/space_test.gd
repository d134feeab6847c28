# SPDX-License-Identifier: MIT
# The tools in the 3D view: gizmos, the probe, bakes and shapes.
@tool
extends "probe_test.gd"

const PATH := "res://space_test.tscn"


func run(_test_region: Node) -> void:
	make_scene()
	EditorInterface.open_scene_from_path(PATH)
	await driver.wait_frames(20)
	EditorInterface.set_main_screen_editor("3D")
	await driver.wait_frames(10)
	region = EditorInterface.get_edited_scene_root().get_node("Region")
	var root := EditorInterface.get_base_control().get_parent()
	tools = root.find_children("*", "CorridorEditorPlugin", true, false)[0]
	EditorInterface.edit_node(region)
	await driver.wait_frames(30)
	await zoom_out(8)
	await the_map_is_made_on_a_thread()
	await the_probe_is_dragged_in_space()
	await the_agent_shows_its_path()
	await the_map_is_baked_and_unbaked()
	await the_door_is_shaped()
	DirAccess.remove_absolute(PATH)


func make_wall(box: AABB) -> StaticBody3D:
	var body := StaticBody3D.new()
	body.position = box.get_center()
	var mesh := MeshInstance3D.new()
	mesh.mesh = BoxMesh.new()
	mesh.mesh.size = box.size
	var shape := CollisionShape3D.new()
	shape.shape = BoxShape3D.new()
	shape.shape.size = box.size
	body.add_child(mesh)
	body.add_child(shape)
	return body


func make_scene() -> void:
	var scene := Node3D.new()
	scene.name = "Space"
	var space := CorridorRegion3D.new()
	space.name = "Region"
	space.bounds = AABB(Vector3(-6, -1, -5), Vector3(12, 4, 10))
	scene.add_child(space)
	for box: AABB in [
		AABB(Vector3(-6, -0.2, -5), Vector3(12, 0.2, 10)),
		AABB(Vector3(-0.1, 0, -5), Vector3(0.2, 2, 4)),
		AABB(Vector3(-0.1, 0, 1), Vector3(0.2, 2, 4)),
		AABB(Vector3(2, 0, -1), Vector3(1.5, 0.8, 2))
	]:
		space.add_child(make_wall(box))
	var door := CorridorObstacle3D.new()
	door.name = "Door"
	door.position = Vector3(-3, 0, 0)
	door.vertices = PackedVector3Array(
		[Vector3(-0.5, 0, -0.5), Vector3(0.5, 0, -0.5), Vector3(0, 0, 0.5)]
	)
	scene.add_child(door)
	var mud := CorridorTerrain3D.new()
	mud.name = "Mud"
	mud.position = Vector3(-4, 0, 3)
	mud.radius = 1.0
	mud.height = 0.2
	scene.add_child(mud)
	for node in scene.find_children("*", "", true, false):
		node.owner = scene
	var packed := PackedScene.new()
	packed.pack(scene)
	ResourceSaver.save(packed, PATH)
	scene.free()


func the_map_is_made_on_a_thread() -> void:
	for i in 200:
		if NavCorridorServer.map_get_clearance(region.get_navigation_map(), Vector2(-3, -3)) > 0.0:
			break
		await driver.wait_frames(1)
	await driver.wait_frames(10)
	var map: RID = region.get_navigation_map()
	driver.check(
		absf(NavCorridorServer.map_get_clearance(map, Vector2(1, 0)) - 1.0) < 0.25,
		"the editor shows a map in space"
	)
	driver.check(not region.is_baked(), "without a bake")
	if driver.has_pictures():
		var picture: Image = await driver.take_picture("space")
		var green: int = driver.count_pixels(picture, Color(0.1, 0.85, 0.65))
		driver.check(green > 100, "its medial axis is seen (%d pixels)" % green)


func the_probe_is_dragged_in_space() -> void:
	var before: Dictionary = tools._get_probe()
	driver.check(before.is_reachable, "the probe is there (%s)" % before.reason)
	driver.check(before.radius == 0.5, "with a radius for space")
	await drag(before.start, Vector2(-4, -1))
	var after: Dictionary = tools._get_probe()
	driver.check(
		after.start.distance_to(Vector2(-4, -1)) < 0.1, "its start follows the mouse (%s)" % after.start
	)
	await drag(after.goal, Vector2(4.6, 0))
	driver.check(tools._get_probe().length > 8.0, "the route leads around the table")
	if driver.has_pictures():
		await driver.take_picture("space_probe")
	undo(false)
	driver.check(tools._get_probe().goal.distance_to(before.goal) < 0.01, "undo moves it back")


func the_agent_shows_its_path() -> void:
	var before: Image = null
	if driver.has_pictures():
		before = await driver.take_picture("space_no_agent")
	var walker := Node3D.new()
	var agent := CorridorAgent.new()
	walker.position = Vector3(-5, 0, -4)
	walker.add_child(agent)
	EditorInterface.get_edited_scene_root().add_child(walker)
	agent.target_position = Vector3(5, 0, -4)
	await driver.wait_frames(30)
	driver.check(agent.get_current_navigation_path().size() >= 2, "an agent in space has a path")
	if driver.has_pictures():
		var picture: Image = await driver.take_picture("space_agent")
		var seen := count_changes(before, picture)
		driver.check(seen > 2000, "which is seen with its corridor (%d pixels)" % seen)
	walker.free()


# The pixels of the view that differ.
func count_changes(before: Image, after: Image) -> int:
	var view: Control = EditorInterface.get_editor_viewport_3d(0).get_parent()
	var rect := Rect2i(view.get_global_rect())
	var count := 0
	for y in range(rect.position.y, mini(rect.end.y, after.get_height())):
		for x in range(rect.position.x, mini(rect.end.x, after.get_width())):
			count += 1 if before.get_pixel(x, y) != after.get_pixel(x, y) else 0
	return count


func the_map_is_baked_and_unbaked() -> void:
	tools._on_bake_pressed()
	for i in 2000:
		if not region.is_baking():
			break
		await driver.wait_frames(1)
	await driver.wait_frames(5)
	driver.check(region.is_baked() and region.corridor_map != null, "the toolbar bakes")
	undo(false)
	await driver.wait_frames(10)
	driver.check(region.corridor_map == null and not region.is_baked(), "undo takes the bake away")
	undo(true)
	await driver.wait_frames(10)
	driver.check(region.is_baked(), "redo brings it back")
	var table: Node3D = region.get_child(3)
	table.position.x += 0.5
	for i in 200:
		if region.is_bake_stale():
			break
		await driver.wait_frames(1)
	driver.check(region.is_bake_stale(), "it knows when a table was moved")


func the_door_is_shaped() -> void:
	var door: CorridorObstacle3D = EditorInterface.get_edited_scene_root().get_node("Door")
	EditorInterface.edit_node(door)
	await driver.wait_frames(5)
	await drag(Vector2(-3, 0.5), Vector2(-3, 1.5))
	driver.check(
		door.vertices[2].distance_to(Vector3(0, 0, 1.5)) < 0.1,
		"a vertex in space follows the mouse (%s)" % door.vertices[2]
	)
	await driver.wait_frames(10)
	driver.check(
		NavCorridorServer.map_get_clearance(region.get_navigation_map(), Vector2(-3, 1.0)) == 0.0,
		"and the map the vertex"
	)
	if driver.has_pictures():
		await driver.take_picture("space_shapes")
	undo(false)
	driver.check(door.vertices[2] == Vector3(0, 0, 0.5), "undo moves it back")


# ---- The mouse


func get_screen_position(point: Vector2) -> Vector2:
	var viewport := EditorInterface.get_editor_viewport_3d(0)
	var view: Control = viewport.get_parent()
	var place := viewport.get_camera_3d().unproject_position(Vector3(point.x, 0, point.y))
	return view.get_global_transform_with_canvas() * place


func zoom_out(steps: int) -> void:
	var view: Control = EditorInterface.get_editor_viewport_3d(0).get_parent()
	var at := view.get_global_transform_with_canvas() * (view.size / 2)
	for i in steps:
		for is_pressed: bool in [true, false]:
			var event := InputEventMouseButton.new()
			event.button_index = MOUSE_BUTTON_WHEEL_DOWN
			event.pressed = is_pressed
			await send(event, at)
	await driver.wait_frames(60)
