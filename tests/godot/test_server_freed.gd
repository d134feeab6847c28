# SPDX-License-Identifier: MIT
# A script may free the server. Nobody can ask it any more, but nodes go on and nothing crashes.
extends "checker.gd"


func run() -> void:
	var early := make_region([make_box(Rect2(450, 100, 100, 400))])
	root.add_child(early)
	var agent := make_agent(Vector2(100, 300), 10.0)
	agent.auto_move = true
	agent.max_speed = 2000.0
	root.add_child(agent.get_parent())
	await wait_frames(3)
	server.map_changed.connect(func(_map: RID) -> void: pass)
	server.call("free")
	check(not is_instance_valid(server), "the server is gone")
	check(not Engine.has_singleton("NavCorridorServer"), "the engine knows that")
	agent.target_position = Vector2(900, 300)
	early.add_child(make_polygon(make_box(Rect2(100, 100, 50, 50))))
	early.bake_corridor_map(false)
	var late := make_region([])
	late.position = Vector2(2000, 0)
	root.add_child(late)
	check(late.get_navigation_map().is_valid(), "regions still make maps")
	await wait_frames(90)
	check(agent.is_target_reached(), "agents still arrive")
	agent.get_parent().free()
	early.free()
	late.free()
	await wait_frames(3)
