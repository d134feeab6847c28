# SPDX-License-Identifier: MIT
# A crowd walks the same ways on one thread and on several.
extends "checker.gd"

const SIZE := 1300.0
const SETTING := "navigation/nav_corridor/agents/use_multiple_threads"
const AGENTS := 160
const FRAMES := 240

var map: RID


func run() -> void:
	check_equal(ProjectSettings.get_setting(SETTING), true, "agents use all threads by default")
	var several := await walk()
	check(several == await walk(), "a crowd walks the same ways again")
	ProjectSettings.set_setting(SETTING, false)
	check(several == await walk(), "and on one thread")
	ProjectSettings.set_setting(SETTING, true)


func make_city() -> void:
	map = server.map_create()
	server.map_set_bounds(map, Rect2(0, 0, SIZE, SIZE))
	server.map_set_active(map, true)
	for column in 10:
		for row in 10:
			var block := server.obstacle_create()
			var corner := Vector2(60 + 120 * column, 60 + 120 * row)
			server.obstacle_set_vertices(block, make_box(Rect2(corner, Vector2(76, 76))))
			server.obstacle_set_map(block, map)


# Half of them keep apart, all get new targets, and a door moves. Where they are in the end.
func walk() -> PackedVector2Array:
	make_city()
	var random := RandomNumberGenerator.new()
	random.seed = 11
	var door := server.obstacle_create()
	server.obstacle_set_vertices(door, make_box(Rect2(0, 0, 30, 6)))
	server.obstacle_set_map(door, map)
	var agents: Array[RID] = []
	for i in AGENTS:
		agents.append(server.agent_create())
		server.agent_set_map(agents[i], map)
		server.agent_set_position(agents[i], choose_point(random))
		server.agent_set_radius(agents[i], 6.0 + i % 5)
		server.agent_set_avoidance_enabled(agents[i], i % 2 == 0)
	for frame in FRAMES:
		server.obstacle_set_position(door, Vector2(620 + 20 * sin(frame * 0.1), 630))
		for i in AGENTS:
			if (frame + i) % 80 == 0 or frame == 0:
				server.agent_set_target(agents[i], choose_point(random))
		await physics_frame
	var places := PackedVector2Array()
	for agent in agents:
		places.append(server.agent_get_position(agent))
	# The last first, so that the next agents get the same numbers: those decide who begins to decide when.
	for i in range(AGENTS - 1, -1, -1):
		server.free_rid(agents[i])
	for obstacle: RID in server.map_get_obstacles(map):
		server.free_rid(obstacle)
	server.free_rid(map)
	return places


func choose_point(random: RandomNumberGenerator) -> Vector2:
	var crossing := Vector2(random.randi_range(0, 8), random.randi_range(0, 8)) * 120.0
	return crossing + Vector2(158, 158) + Vector2(random.randf(), random.randf()) * 8.0
