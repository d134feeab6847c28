# SPDX-License-Identifier: MIT
# The steps of docs/godot.md in a project that has the add-on and nothing else: the scenes are made as
# it says, with the scripts that it prints, saved, loaded again and played. tests/export.sh runs it, and
# copies the page beside it.
extends "checker.gd"

const SCENE := "res://level.tscn"

var scripts: Array[String] = []


func run() -> void:
	read_scripts()
	check(scripts.size() >= 5, "the page has scripts (%d)" % scripts.size())
	make_scripts_run()
	make_level("extends Node2D", Node2D.new(), true)
	await play("auto_move")
	make_level("extends CharacterBody2D", CharacterBody2D.new(), false)
	await play("velocity_computed")


# All blocks of code of the page.
func read_scripts() -> void:
	for block in FileAccess.get_file_as_string("res://godot.md").split("```gdscript\n").slice(1):
		scripts.append(block.get_slice("```", 0))


func make_scripts_run() -> void:
	for i in scripts.size():
		var script := GDScript.new()
		script.source_code = scripts[i]
		check_equal(script.reload(), OK, "script %d of the page has no mistake" % i)


# Steps 2, 3 and 5, with the first script that begins like this.
func make_level(begin: String, walker: Node2D, auto_move: bool) -> void:
	var level := Node2D.new()
	var region := CorridorRegion2D.new()
	region.name = "CorridorRegion2D"
	level.add_child(region)
	region.owner = level
	for rect: Rect2 in [Rect2(200, 100, 200, 400), Rect2(600, 0, 150, 480)]:
		var house := make_polygon(make_box(rect))
		region.add_child(house)
		house.owner = level
	walker.name = "Walker"
	walker.position = Vector2(100, 100)
	level.add_child(walker)
	walker.owner = level
	var agent := CorridorAgent.new()
	agent.name = "CorridorAgent"
	agent.radius = 20.0
	agent.auto_move = auto_move
	walker.add_child(agent)
	agent.owner = level
	walker.set_script(make_script(begin))
	var scene := PackedScene.new()
	scene.pack(level)
	check_equal(ResourceSaver.save(scene, SCENE), OK, "the level is saved")
	level.free()


func make_script(begin: String) -> GDScript:
	for text in scripts:
		if text.begins_with(begin + "\n") and text.contains("target_position"):
			var path := "res://%s.gd" % begin.to_snake_case().replace(" ", "_")
			var file := FileAccess.open(path, FileAccess.WRITE)
			file.store_string(text)
			file.close()
			return load(path)
	check(false, "the page has a script that begins with " + begin)
	return null


# Step 6.
func play(how: String) -> void:
	var scene: PackedScene = ResourceLoader.load(SCENE, "", ResourceLoader.CACHE_MODE_REPLACE)
	var level: Node2D = scene.instantiate()
	root.add_child(level)
	var walker: Node2D = level.get_node("Walker")
	var agent: CorridorAgent = walker.get_node("CorridorAgent")
	check(agent.is_target_reachable(), "%s: the map answers at once" % how)
	var map := agent.get_navigation_map()
	var least := INF
	for i in 1500:
		await physics_frame
		least = minf(least, server.map_get_clearance(map, walker.position))
		if agent.is_navigation_finished():
			break
	check(agent.is_target_reached(), "%s: the agent walks to its target" % how)
	check(walker.position.distance_to(Vector2(1000, 500)) <= 10.0, "%s: and stands there" % how)
	check(least >= agent.radius - 0.001, "%s: its radius fits all the way (%f)" % [how, least])
	if how == "auto_move":
		var click := InputEventMouseButton.new()
		click.button_index = MOUSE_BUTTON_LEFT
		click.pressed = true
		click.position = Vector2(500, 300)
		root.push_input(click)
		await wait_frames(3)
		check(not agent.is_navigation_finished(), "%s: a click sends it on" % how)
	level.free()
