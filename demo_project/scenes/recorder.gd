# SPDX-License-Identifier: MIT
# Saves pictures of the running scene and quits, when the game is started with
#     godot --path demo_project -- --render-to=DIR [--seconds=8] [--pictures=6]
extends Node

var folder := ""
var seconds := 8.0
var picture_count := 6


func _ready() -> void:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with("--render-to="):
			folder = argument.trim_prefix("--render-to=")
		elif argument.begins_with("--seconds="):
			seconds = maxf(argument.trim_prefix("--seconds=").to_float(), 0.1)
		elif argument.begins_with("--pictures="):
			picture_count = maxi(argument.trim_prefix("--pictures=").to_int(), 1)
	if folder != "":
		record.call_deferred()


func record() -> void:
	if DirAccess.make_dir_recursive_absolute(folder) != OK:
		printerr("The folder for the pictures cannot be made: ", folder)
		get_tree().quit(1)
		return
	var failed := false
	for i in picture_count:
		await wait(seconds / picture_count)
		await RenderingServer.frame_post_draw
		var path := "%s/%s_%02d.png" % [folder, get_scene_name(), i]
		if get_viewport().get_texture().get_image().save_png(path) == OK:
			print(path)
		else:
			failed = true
			printerr("The picture cannot be saved: ", path)
	get_tree().quit(1 if failed else 0)


# Game time, not wall time: with --fixed-fps the pictures do not depend on the machine.
func wait(time: float) -> void:
	while time > 0.0:
		await get_tree().process_frame
		time -= get_process_delta_time()


func get_scene_name() -> String:
	return get_tree().current_scene.scene_file_path.get_file().get_basename()
