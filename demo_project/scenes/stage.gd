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


func _unhandled_key_input(event: InputEvent) -> void:
	if not event.is_action_pressed("ui_cancel") or get_tree().current_scene == null:
		return
	if get_tree().current_scene.scene_file_path == MENU:
		get_tree().quit()
	else:
		open(MENU)
