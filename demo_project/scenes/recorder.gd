# SPDX-License-Identifier: MIT
# Saves pictures of the menu and of every scene and quits, when the game is started with
#     godot --path demo_project -- --render-to=DIR [--seconds=8] [--pictures=2] [--only=NAME]
# Each scene runs that many seconds of game time, and its pictures are spread over them.
extends Node

var folder := ""
var only := ""
var seconds := 8.0
var picture_count := 2


func _ready() -> void:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with("--render-to="):
			folder = argument.trim_prefix("--render-to=")
		elif argument.begins_with("--seconds="):
			seconds = maxf(argument.trim_prefix("--seconds=").to_float(), 0.1)
		elif argument.begins_with("--pictures="):
			picture_count = maxi(argument.trim_prefix("--pictures=").to_int(), 1)
		elif argument.begins_with("--only="):
			only = argument.trim_prefix("--only=")
	if folder != "":
		record.call_deferred()


func record() -> void:
	if DirAccess.make_dir_recursive_absolute(folder) != OK:
		printerr("The folder for the pictures cannot be made: ", folder)
		get_tree().quit(1)
		return
	var failed := false
	for path: String in PackedStringArray([Stage.MENU]) + Stage.list_scenes():
		var scene := path.get_file().get_basename()
		if only != "" and scene != only:
			continue
		get_tree().change_scene_to_file(path)
		for i in 1 if path == Stage.MENU else picture_count:
			await wait(0.2 if path == Stage.MENU else seconds / picture_count)
			failed = not await save_picture("%s/%s_%02d.png" % [folder, scene, i]) or failed
	get_tree().quit(1 if failed else 0)


func save_picture(path: String) -> bool:
	RenderingServer.render_loop_enabled = true
	await RenderingServer.frame_post_draw
	var is_saved := get_viewport().get_texture().get_image().save_png(path) == OK
	if is_saved:
		print(path)
	else:
		printerr("The picture cannot be saved: ", path)
	# Nobody looks at the frames between two pictures.
	RenderingServer.render_loop_enabled = false
	return is_saved


# Game time, not wall time: with --fixed-fps the pictures do not depend on the machine.
func wait(time: float) -> void:
	while time > 0.0:
		await get_tree().process_frame
		time -= get_process_delta_time()
