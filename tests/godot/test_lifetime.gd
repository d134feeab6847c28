# SPDX-License-Identifier: MIT
# Nodes may be freed, moved and changed at any time, also by listeners of their own signals.
extends "checker.gd"


func run() -> void:
	await listeners_may_free_the_agent()
	await listeners_may_set_new_targets()
	await listeners_may_free_the_region()
	await regions_get_a_new_map_when_theirs_was_freed()
	await regions_may_go_before_agents()
	await agents_may_change_parents()
	await scenes_may_be_reloaded()
	await random_sequences_do_no_harm()
	check_equal(server.get_maps().size(), 0, "no map is left")


func make_walking_agent() -> CorridorAgent:
	var agent := make_agent(Vector2(100, 300), 10.0)
	agent.auto_move = true
	agent.max_speed = 3000.0
	root.add_child(agent.get_parent())
	agent.target_position = Vector2(900, 300)
	return agent


func listeners_may_free_the_agent() -> void:
	for name: String in [
		"path_changed",
		"waypoint_reached",
		"target_reached",
		"navigation_finished",
		"velocity_computed"
	]:
		var region := make_region([make_box(Rect2(450, 100, 100, 400))])
		root.add_child(region)
		var agent := make_walking_agent()
		var body: Node = agent.get_parent()
		var heard := [false]
		var listener := func(_argument: Variant = null) -> void:
			heard[0] = true
			body.queue_free()
		agent.connect(name, listener)
		await wait_frames(60)
		check(
			heard[0] and not is_instance_valid(body),
			"the agent is freed by a listener of %s" % name
		)
		region.free()


func listeners_may_set_new_targets() -> void:
	var region := make_region([])
	root.add_child(region)
	for name: String in ["path_changed", "target_reached", "navigation_finished"]:
		var agent := make_walking_agent()
		var targets: Array[Vector2] = [Vector2(900, 500), Vector2(100, 100)]
		agent.connect(
			name,
			func() -> void:
				if not targets.is_empty():
					agent.target_position = targets.pop_front()
		)
		await wait_frames(120)
		check(targets.is_empty(), "all targets were set by a listener of %s" % name)
		check(
			agent.distance_to_target() <= agent.target_desired_distance,
			"and the last one is reached"
		)
		agent.get_parent().free()
	region.free()


func listeners_may_free_the_region() -> void:
	for name: String in ["bake_finished", "corridor_map_changed"]:
		var region := make_region([])
		root.add_child(region)
		region.connect(name, region.queue_free)
		region.bake_corridor_map(false)
		await wait_frames(4)
		check(not is_instance_valid(region), "the region is freed by a listener of %s" % name)


# Many more obstacles than before, so that lists grow and move.
func regions_get_a_new_map_when_theirs_was_freed() -> void:
	for i in 5:
		var region := make_region([make_box(Rect2(450, 100, 100, 400))])
		root.add_child(region)
		await wait_frames(2)
		var old := region.get_navigation_map()
		server.free_rid(old)
		for k in 200 + 100 * i:
			var place := Vector2(10 * (k % 40), 10 * floori(k / 40.0))
			region.add_child(make_polygon(make_box(Rect2(place, Vector2(4, 4)))))
		var heard := [0]
		region.corridor_map_changed.connect(func() -> void: heard[0] += 1)
		region.bake_corridor_map(false)
		var map := region.get_navigation_map()
		check(map.is_valid() and map != old, "a region whose map was freed makes a new one")
		check_near(server.map_get_clearance(map, Vector2(440, 300)), 10.0, 0.01, "with its walls")
		var agent := make_walking_agent()
		await wait_frames(60)
		check(heard[0] > 0, "it tells about it")
		check(agent.is_target_reached(), "and agents find it")
		agent.get_parent().free()
		region.free()
	await wait_frames(1)


func regions_may_go_before_agents() -> void:
	var region := make_region([])
	root.add_child(region)
	var agent := make_walking_agent()
	agent.max_speed = 100.0
	await wait_frames(5)
	var map := agent.get_navigation_map()
	agent.set_navigation_map(map)
	region.free()
	await wait_frames(5)
	check_equal(agent.get_navigation_map(), map, "the agent keeps the RID it was given")
	agent.velocity = Vector2(10, 0)
	await wait_frames(5)
	agent.set_navigation_map(RID())
	check_equal(agent.get_navigation_map(), RID(), "without a region there is no map")
	check_equal(agent.get_next_path_position() is Vector2, true, "it still answers")
	agent.get_parent().free()


func agents_may_change_parents() -> void:
	var region := make_region([])
	root.add_child(region)
	var agent := make_walking_agent()
	var first: Node2D = agent.get_parent()
	await wait_frames(2)
	var second := Node3D.new()
	root.add_child(second)
	agent.reparent(second)
	await wait_frames(3)
	check(agent.get_next_path_position() is Vector3, "under a Node3D it answers with a Vector3")
	var plain := Node.new()
	root.add_child(plain)
	agent.reparent(plain)
	await wait_frames(3)
	agent.reparent(first)
	await wait_frames(40)
	check(agent.is_target_reached(), "back under the Node2D it goes on")
	first.free()
	second.free()
	plain.free()
	region.free()


func scenes_may_be_reloaded() -> void:
	for i in 3:
		change_scene_to_file("res://scenes/01_first_steps.tscn")
		await wait_frames(10)
		check(current_scene != null, "the demo scene runs, time %d" % i)
		reload_current_scene()
		await wait_frames(10)
	current_scene.free()
	await wait_frames(2)


func random_sequences_do_no_harm() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 12345
	var nodes: Array[Node] = []
	for i in 400:
		nodes = nodes.filter(func(node: Variant) -> bool: return is_instance_valid(node))
		do_something(random, nodes)
		if i % 10 == 0:
			await physics_frame
	for node in nodes:
		if is_instance_valid(node) and node.get_parent() == root:
			node.queue_free()
		elif is_instance_valid(node) and not node.is_inside_tree() and node.get_parent() == null:
			node.free()
	await wait_frames(3)
	check_equal(server.get_maps().size(), 0, "400 random actions leave no map behind")
	var region := make_region([])
	root.add_child(region)
	var agent := make_walking_agent()
	await wait_frames(40)
	check(agent.is_target_reached(), "and agents still arrive")
	agent.get_parent().free()
	region.free()


func do_something(random: RandomNumberGenerator, nodes: Array[Node]) -> void:
	var node: Node = nodes[random.randi() % nodes.size()] if not nodes.is_empty() else null
	var place := Vector2(random.randf_range(-100, 1100), random.randf_range(-100, 700))
	match random.randi() % 10:
		0:
			var region := make_region(make_random_polygons(random, 5))
			root.add_child(region)
			nodes.append(region)
		1, 2:
			var agent := make_agent(place, random.randf_range(0, 30))
			agent.auto_move = random.randi() % 2 == 0
			root.add_child(agent.get_parent())
			agent.target_position = Vector2(random.randf() * 1000, random.randf() * 600)
			nodes.append(agent.get_parent())
		3:
			if node != null:
				node.queue_free()
				nodes.erase(node)
		4:
			if node != null and node.get_parent() == root:
				root.remove_child(node)
		5:
			if node != null and node.get_parent() == null:
				root.add_child(node)
		6:
			if node is CorridorRegion2D:
				node.add_child(make_polygon(make_random_polygons(random, 1)[0]))
				if node.is_inside_tree():
					node.bake_corridor_map(false)
		7:
			if node is Node2D:
				node.position = place
		8:
			if node is CorridorRegion2D:
				node.enabled = not node.enabled
		9:
			if node != null and node.get_child_count() > 0 and node.get_child(0) is CorridorAgent:
				node.get_child(0).target_position = place
