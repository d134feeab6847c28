# SPDX-License-Identifier: MIT
# Which scenes there are, and how to get from one to another. Esc leads back to the menu.
extends Node

const FOLDER := "res://scenes/"
const MENU := "res://scenes/menu.tscn"


# The numbered scenes in their order, in the editor and in an exported game alike.
func list_scenes() -> PackedStringArray:
	var paths := PackedStringArray()
	for file in ResourceLoader.list_directory(FOLDER):
		if file.get_extension() == "tscn" and file.left(2).is_valid_int():
			paths.append(FOLDER + file)
	paths.sort()
	return paths


func open(path: String) -> void:
	get_tree().paused = false
	get_tree().change_scene_to_file(path)


# Where the user wants somebody of this radius to go: a click says where, the space bar anywhere.
# Vector2.INF is nowhere.
func read_order(event: InputEvent, scene: Node2D, radius: float) -> Vector2:
	var click := event as InputEventMouseButton
	if click != null and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		return scene.get_global_mouse_position()
	if event.is_action_pressed("ui_select"):
		var region: CorridorRegion2D = scene.get_node("Region")
		return NavCorridorServer.map_get_random_point(region.get_navigation_map(), radius)
	return Vector2.INF


func _unhandled_key_input(event: InputEvent) -> void:
	if not event.is_action_pressed("ui_cancel") or get_tree().current_scene == null:
		return
	if get_tree().current_scene.scene_file_path == MENU:
		get_tree().quit()
	else:
		open(MENU)
