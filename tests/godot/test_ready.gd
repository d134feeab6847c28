# SPDX-License-Identifier: MIT
# The first question is answered in _ready(), wherever in the tree it is asked.
extends "checker.gd"


# Asks for a path as soon as it can.
class Asker:
	extends Node2D
	var agent := CorridorAgent.new()
	var next := Vector2.ZERO
	var path := PackedVector2Array()
	var clearance := -1.0

	func _init() -> void:
		position = Vector2(100, 300)
		add_child(agent)

	func _ready() -> void:
		agent.target_position = Vector2(900, 300)
		next = agent.get_next_path_position()
		path = agent.get_current_navigation_path()
		clearance = NavCorridorServer.map_get_clearance(agent.get_navigation_map(), position)


func run() -> void:
	for place: String in [
		"before the region", "after the region", "below the region", "above the region"
	]:
		ask(place)
	obstacles_of_ready_scripts_count()
	await later_changes_need_a_bake()


func ask(place: String) -> void:
	var region := make_region([make_box(Rect2(450, 100, 100, 400))])
	var asker := Asker.new()
	var level: Node = Node2D.new()
	if place == "before the region":
		level.add_child(asker)
		level.add_child(region)
	elif place == "after the region":
		level.add_child(region)
		level.add_child(asker)
	elif place == "below the region":
		level.add_child(region)
		region.add_child(asker)
	else:
		level.free()
		level = asker
		asker.add_child(region)
		region.position = -asker.position
	root.add_child(level)
	check(asker.path.size() > 2, "the path is there in _ready(), %s" % place)
	check(asker.next != asker.position, "the next position leads away, %s" % place)
	check_near(asker.clearance, 100.0, 0.01, "the clearance is known, %s" % place)
	level.free()


# Adds an obstacle to the region above when it is ready.
class Builder:
	extends Node2D

	func _ready() -> void:
		var polygon := Polygon2D.new()
		polygon.polygon = PackedVector2Array(
			[Vector2(450, 100), Vector2(550, 100), Vector2(500, 500)]
		)
		add_child(polygon)


func obstacles_of_ready_scripts_count() -> void:
	var region := make_region([])
	region.add_child(Builder.new())
	root.add_child(region)
	var map := region.get_navigation_map()
	check_near(
		server.map_get_clearance(map, Vector2(430, 100)), 20.0, 0.01,
		"obstacles that children add in _ready() count"
	)
	region.free()


func later_changes_need_a_bake() -> void:
	var region := make_region([])
	root.add_child(region)
	var map := region.get_navigation_map()
	var finished := [0]
	var changed := [0]
	region.bake_finished.connect(func() -> void: finished[0] += 1)
	region.corridor_map_changed.connect(func() -> void: changed[0] += 1)
	await wait_frames(3)
	check_equal(changed[0], 1, "corridor_map_changed is emitted for the first map")
	region.bake_corridor_map(false)
	check_equal(finished[0], 1, "bake_finished is emitted")
	region.add_child(make_polygon(make_box(Rect2(450, 100, 100, 400))))
	region.bake_corridor_map(false)
	check_near(
		server.map_get_clearance(map, Vector2(430, 300)), 20.0, 0.01, "a bake sees new nodes"
	)
	await wait_frames(3)
	check_equal(changed[0], 2, "corridor_map_changed is emitted once more")
	region.free()
