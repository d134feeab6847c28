# SPDX-License-Identifier: MIT
# Project settings are there with defaults, and the debugger shows what the server does.
extends "checker.gd"

const COLORS := "debug/shapes/nav_corridor/"


func run() -> void:
	settings_have_defaults()
	await monitors_count()
	await visible_navigation_shows_nodes()


func settings_have_defaults() -> void:
	for name: String in ["medial_axis_color", "path_color", "corridor_color", "obstacle_color"]:
		check(ProjectSettings.get_setting(COLORS + name) is Color, "%s is a color" % name)
		check(
			ProjectSettings.property_can_revert(COLORS + name), "%s has a default" % name
		)
	check_equal(
		ProjectSettings.get_setting("navigation/nav_corridor/baking/use_vulkan"), 1, "Vulkan is automatic"
	)
	var hints := {}
	for property in ProjectSettings.get_property_list():
		hints[property.name] = property
	var info: Dictionary = hints["navigation/nav_corridor/baking/use_vulkan"]
	check_equal(info.hint, PROPERTY_HINT_ENUM, "and is chosen from a list")
	check_equal(info.hint_string, "Never,Automatic,Always", "of three")


func monitors_count() -> void:
	var region := make_region([make_box(Rect2(400, 200, 200, 200))])
	root.add_child(region)
	var crate := CorridorObstacle2D.new()
	crate.radius = 20.0
	crate.position = Vector2(100, 100)
	root.add_child(crate)
	await wait_frames(2)
	check(Performance.has_custom_monitor("NavCorridor/agents"), "the debugger has our monitors")
	check_equal(Performance.get_custom_monitor("NavCorridor/obstacles"), 2, "which count obstacles")
	check_equal(Performance.get_custom_monitor("NavCorridor/active_maps"), 1, "and maps")
	check(Performance.get_custom_monitor("NavCorridor/memory_bytes") > 1000, "and memory")
	crate.free()
	region.free()
	check_equal(Performance.get_custom_monitor("NavCorridor/obstacles"), 0, "none are left")


# Drawing in the game must neither fail nor leave anything behind.
func visible_navigation_shows_nodes() -> void:
	debug_navigation_hint = true
	var region := CorridorRegion3D.new()
	region.needs_floor = false
	root.add_child(region)
	var crate := CorridorObstacle3D.new()
	crate.radius = 1.0
	root.add_child(crate)
	var walker := Node3D.new()
	var agent := CorridorAgent.new()
	walker.add_child(agent)
	root.add_child(walker)
	agent.target_position = Vector3(4, 0, 4)
	var mud := CorridorTerrain2D.new()
	mud.radius = 10.0
	root.add_child(mud)
	var plane := make_region([make_box(Rect2(400, 200, 200, 200))])
	plane.show_terrain = true
	root.add_child(plane)
	await wait_frames(5)
	crate.position.x = 2.0
	await wait_frames(5)
	debug_navigation_hint = false
	crate.position.x = 3.0
	region.show_walls = false
	await wait_frames(3)
	for node: Node in [region, walker, crate, mud, plane]:
		node.free()
	check(true, "drawing in the game leaves nothing behind")
