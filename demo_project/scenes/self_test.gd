# SPDX-License-Identifier: MIT
# Runs every scene and checks it, when the game is started with
#     nav_corridor_demo --headless --fixed-fps 60 -- --selftest [--only=02_any_radius]
# Every agent must arrive somewhere, and none may ever be closer to a wall than its radius. A scene
# may have more to say in a function find_fault(), which returns what is wrong, or an empty text;
# SELF_TEST_SECONDS is how long it runs.
extends Node

const SECONDS := 12.0
const TOLERANCE := 0.001 # positions are floats: a coordinate of some thousands has this grain

var arrivals: Dictionary[CorridorAgent, int] = {}
var least: Dictionary[CorridorAgent, float] = {}
var samples := 0


func _ready() -> void:
	var arguments := OS.get_cmdline_user_args()
	if arguments.has("--selftest"):
		var only := ""
		for argument in arguments:
			if argument.begins_with("--only="):
				only = argument.trim_prefix("--only=")
		run.call_deferred(only)


func run(only: String) -> void:
	var failures := 0
	for path in Stage.list_scenes():
		if only != "" and path.get_file().get_basename() != only:
			continue
		var fault := await find_fault(path)
		var scene := get_tree().current_scene
		if fault == "" and scene.has_method("get_summary"):
			print("ok - ", path.get_file(), ": ", scene.call("get_summary"))
			continue
		print("ok - " if fault == "" else "not ok - ", path.get_file(), ": ", get_summary(fault))
		failures += 0 if fault == "" else 1
	print("sentinel")
	get_tree().quit(1 if failures > 0 else 0)


func get_summary(fault: String) -> String:
	var gap := INF
	for agent in least:
		gap = minf(gap, least[agent])
	var counts := "%d agents, %d steps, least gap %f" % [arrivals.size(), samples, gap]
	return counts if fault == "" else fault + " (%s)" % counts


# Run one scene for a while and return what is wrong with it.
func find_fault(path: String) -> String:
	arrivals.clear()
	least.clear()
	samples = 0
	if get_tree().change_scene_to_file(path) != OK:
		return "it cannot be opened"
	await get_tree().physics_frame
	await get_tree().physics_frame
	var scene := get_tree().current_scene
	if scene == null or scene.scene_file_path != path:
		return "it does not open"
	var seconds: Variant = scene.get("SELF_TEST_SECONDS")
	for i in int((SECONDS if seconds == null else float(seconds)) * Engine.physics_ticks_per_second):
		watch(scene)
		await get_tree().physics_frame
	var fault := find_agent_fault()
	if scene.has_method("find_fault"):
		# Its agents may be such that only the scene knows them.
		var own_fault: String = scene.call("find_fault")
		return own_fault if own_fault != "" or arrivals.is_empty() else fault
	return fault


# Measure all agents of the scene; new ones may come at any time.
func watch(scene: Node) -> void:
	for agent: CorridorAgent in scene.find_children("*", "CorridorAgent", true, false):
		if not arrivals.has(agent):
			arrivals[agent] = 0
			least[agent] = INF
			agent.target_reached.connect(func() -> void: arrivals[agent] += 1)
		var gap := get_clearance(agent) - agent.radius
		least[agent] = minf(least[agent], gap)
		samples += 1


func get_clearance(agent: CorridorAgent) -> float:
	var map := agent.get_navigation_map()
	var parent := agent.get_parent()
	if parent is Node3D:
		var position: Vector3 = (parent as Node3D).global_position
		return NavCorridorServer.map_get_clearance(map, Vector2(position.x, position.z))
	return NavCorridorServer.map_get_clearance(map, (parent as Node2D).global_position)


func find_agent_fault() -> String:
	if arrivals.is_empty():
		return "it has no agent"
	for agent in arrivals:
		if least[agent] < -TOLERANCE:
			return "%s came %f into its clearance" % [agent.get_parent().name, -least[agent]]
		if arrivals[agent] == 0:
			return "%s never arrived" % agent.get_parent().name
	return ""
