# SPDX-License-Identifier: MIT
# Shapes an obstacle and terrain with the mouse, in the 2D view.
@tool
extends "probe_test.gd"


func run(test_region: Node) -> void:
	region = test_region
	var scene := EditorInterface.get_edited_scene_root()
	var obstacle := CorridorObstacle2D.new()
	obstacle.position = Vector2(300, 300)
	obstacle.rotation = 0.3
	obstacle.vertices = PackedVector2Array(
		[Vector2(-150, -120), Vector2(150, -120), Vector2(150, 120), Vector2(-150, 120)]
	)
	obstacle.name = "Crate"
	scene.add_child(obstacle)
	obstacle.owner = scene
	var terrain := CorridorTerrain2D.new()
	terrain.position = Vector2(620, 520)
	terrain.radius = 60.0
	terrain.type = 3
	terrain.name = "Mud"
	scene.add_child(terrain)
	terrain.owner = scene
	await driver.show_whole(region)
	await vertices_are_dragged(obstacle)
	await the_radius_is_dragged(terrain)
	obstacle.free()
	terrain.free()
	await driver.wait_frames(5)


func vertices_are_dragged(obstacle: CorridorObstacle2D) -> void:
	EditorInterface.edit_node(obstacle)
	await driver.wait_frames(5)
	var map: RID = region.get_navigation_map()
	var to := Vector2(520, 160)
	await drag(obstacle.to_global(obstacle.vertices[1]), to)
	driver.check(
		obstacle.to_global(obstacle.vertices[1]).distance_to(to) < 2.0, "a vertex follows the mouse"
	)
	await driver.wait_frames(20)
	driver.check(
		NavCorridorServer.map_get_clearance(map, to.lerp(obstacle.position, 0.1)) == 0.0,
		"and so does the map"
	)
	if driver.has_pictures():
		await driver.take_picture("shapes")
	undo(false)
	driver.check(obstacle.vertices[1].distance_to(Vector2(150, -120)) < 0.01, "undo moves it back")
	var middle := obstacle.to_global(Vector2(150, 0))
	await drag(middle, middle + Vector2(60, 10))
	driver.check(obstacle.vertices.size() == 5, "pressing on a side adds a vertex")
	await click_right(obstacle.to_global(obstacle.vertices[2]))
	driver.check(obstacle.vertices.size() == 4, "the right button removes it")
	undo(false)
	undo(false)
	driver.check(obstacle.vertices.size() == 4, "both can be undone")
	driver.check(obstacle.position == Vector2(300, 300), "the node itself has not moved")


func the_radius_is_dragged(terrain: CorridorTerrain2D) -> void:
	EditorInterface.edit_node(terrain)
	await driver.wait_frames(5)
	await drag(terrain.position + Vector2(60, 0), terrain.position + Vector2(120, 0))
	driver.check(absf(terrain.radius - 120.0) < 3.0, "the radius follows the mouse")
	if driver.has_pictures():
		await driver.take_picture("terrain")
	undo(false)
	driver.check(terrain.radius == 60.0, "undo brings it back")


func click_right(point: Vector2) -> void:
	var at := get_screen_position(point)
	for is_pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_RIGHT
		event.button_mask = MOUSE_BUTTON_MASK_RIGHT if is_pressed else 0
		event.pressed = is_pressed
		await send(event, at)
