# SPDX-License-Identifier: MIT
# mistakes: expected
# Random sequences of everything that scripts can do: nodes and server objects are added, removed,
# reparented, freed, baked, edited and asked, also from another thread; now and then an argument
# is nonsense, or an object that is gone. Nothing crashes, nothing is left over, and the maps are right
# at the end of every sequence. The first seed and how many come after it can be chosen:
#
#     godot --headless --fixed-fps 60 --path PROJECT -s res://tests/test_random.gd -- 1 1000
extends "checker.gd"

const STEPS := 120
const DEFAULT_COUNT := 40

var random := RandomNumberGenerator.new()
var stage: Node2D
var nodes: Array[Node] = []
var rids: Array[RID] = [] # of all kinds, some of them freed already
var maps: Array[RID] = []
var threads: Array[Thread] = []
var actions: Dictionary[StringName, int] = {}
var results: Array[CorridorPathQueryResult] = []


func run() -> void:
	var arguments := OS.get_cmdline_user_args()
	var first := int(arguments[0]) if arguments.size() > 0 else 1
	var count := int(arguments[1]) if arguments.size() > 1 else DEFAULT_COUNT
	await run_sequence(first) # what the engine keeps for ever is made now
	actions.clear()
	await wait_frames(3)
	var objects := count_objects()
	var wrong := 0
	for i in count:
		var is_right := await run_sequence(first + i)
		if not is_right:
			wrong += 1
			print("# seed %d gives a wrong map" % (first + i))
	await wait_frames(3)
	check_equal(wrong, 0, "%d random sequences of %d steps end with right maps" % [count, STEPS])
	var total := 0
	for name in actions:
		total += actions[name]
		check(actions[name] > 0, "%s: %d times" % [name, actions[name]])
	check_equal(total, count * STEPS, "every step did something")
	check_equal(count_objects(), objects, "no object is left: nodes, resources, orphans, all")
	check_equal(server.get_maps().size(), 0, "no map is left")
	for info: int in [server.INFO_OBSTACLE_COUNT, server.INFO_AGENT_COUNT, server.INFO_TERRAIN_COUNT]:
		check_equal(server.get_process_info(info), 0, "process info %d is zero" % info)


func count_objects() -> Array[int]:
	var counts: Array[int] = []
	for monitor: Performance.Monitor in [
		Performance.OBJECT_NODE_COUNT, Performance.OBJECT_RESOURCE_COUNT,
		Performance.OBJECT_ORPHAN_NODE_COUNT
	]:
		counts.append(int(Performance.get_monitor(monitor)))
	return counts


# ---- One sequence


func run_sequence(number: int) -> bool:
	random.seed = number
	stage = Node2D.new()
	root.add_child(stage)
	nodes.append(stage)
	var steps: Array[Callable] = [
		add_region, add_agent, add_polygon, add_obstacle_node, add_terrain_node,
		add_nodes_in_space, add_other_node, remove_node, reparent_node, free_node,
		bake, move_node, set_property, make_map, make_obstacle, edit_obstacle, make_terrain,
		make_server_agent, free_something, ask, ask_in_thread, query_with_callback, pause
	]
	for i in STEPS:
		var step: Callable = steps[random.randi() % steps.size()]
		actions[step.get_method()] = actions.get(step.get_method(), 0) + 1
		step.call()
		if random.randi() % 6 == 0:
			await physics_frame
	for thread in threads:
		thread.wait_to_finish()
	threads.clear()
	var is_right := is_every_map_right()
	await clear_all()
	return is_right


func clear_all() -> void:
	paused = false
	# Some of the nodes are outside of the tree, and none may be left.
	for node in nodes:
		if is_instance_valid(node) and not node.is_inside_tree():
			var top := node
			while top.get_parent() != null:
				top = top.get_parent()
			top.queue_free()
	stage.queue_free()
	nodes.clear()
	await wait_frames(2)
	for rid in rids + maps:
		server.free_rid(rid)
	rids.clear()
	maps.clear()
	await wait_frames(2)
	results.clear()
	errors.take()


# Every obstacle that the server knows keeps its distance from points that are said to be free.
func is_every_map_right() -> bool:
	for map: RID in server.get_maps():
		server.map_force_update(map)
		for i in 12:
			var point := server.map_get_random_point(map, 4.0)
			var clearance := server.map_get_clearance(map, point)
			var nearest := server.map_get_closest_obstacle_point(map, point)
			if clearance > 4.0 and absf(nearest.distance_to(point) - clearance) > 0.05:
				return false
			if clearance > 4.0 and find_nearest(map, point) < clearance - 0.05:
				return false
	return true


# The distance to the server's own polygons, by brute force.
func find_nearest(map: RID, point: Vector2) -> float:
	var best := INF
	for obstacle: RID in server.map_get_obstacles(map):
		var points := server.obstacle_get_vertices(obstacle)
		var at := point - server.obstacle_get_position(obstacle)
		if server.obstacle_get_type(obstacle) != server.OBSTACLE_POLYGON or points.size() < 3:
			continue
		for i in points.size():
			var foot := Geometry2D.get_closest_point_to_segment(
				at, points[i], points[(i + 1) % points.size()]
			)
			best = minf(best, foot.distance_to(at))
	return best


# ---- What to do it with


# Somewhere in the level, rarely far out or nowhere at all.
func pick_point() -> Vector2:
	match random.randi() % 40:
		0:
			return Vector2(NAN, INF)
		1:
			return Vector2(-1e9, 1e30)
		_:
			return Vector2(random.randf_range(-20, 1020), random.randf_range(-20, 620))


func pick_number(highest: float) -> float:
	match random.randi() % 30:
		0:
			return NAN
		1:
			return -1.0
		2:
			return 1e30
		_:
			return random.randf_range(0.0, highest)


func pick_node() -> Node:
	nodes.assign(nodes.filter(is_instance_valid))
	return nodes[random.randi() % nodes.size()]


func pick_map() -> RID:
	var known: Array[RID] = maps.duplicate()
	known.append_array(server.get_maps())
	return known[random.randi() % known.size()] if not known.is_empty() else RID()


func pick_rid() -> RID:
	return rids[random.randi() % rids.size()] if not rids.is_empty() else RID()


func pick_outline() -> PackedVector2Array:
	var points := PackedVector2Array()
	for i in random.randi_range(0, 7):
		points.append(Vector2.from_angle(random.randf() * TAU) * pick_number(70.0))
	return points


func attach(node: Node) -> void:
	nodes.append(node)
	var parent := pick_node()
	if parent == node or parent.is_queued_for_deletion():
		parent = stage
	parent.add_child(node)


# ---- Nodes


func add_region() -> void:
	var region := CorridorRegion2D.new()
	region.bounds = Rect2(0, 0, 1000, 600) if random.randi() % 8 > 0 else Rect2(pick_point(), pick_point())
	region.debug_enabled = random.randi() % 2 == 0
	attach(region)


func add_agent() -> void:
	var agent := CorridorAgent.new()
	agent.radius = pick_number(30.0)
	agent.auto_move = random.randi() % 2 == 0
	agent.avoidance_enabled = random.randi() % 2 == 0
	agent.method = random.randi_range(0, 3)
	agent.target_position = pick_point()
	if random.randi() % 3 == 0:
		agent.set_navigation_map(pick_map())
	attach(agent)


func add_polygon() -> void:
	var polygon := make_polygon(pick_outline())
	polygon.position = pick_point()
	attach(polygon)


func add_obstacle_node() -> void:
	var obstacle := CorridorObstacle2D.new()
	obstacle.vertices = pick_outline()
	obstacle.radius = pick_number(40.0)
	obstacle.position = pick_point()
	attach(obstacle)


func add_terrain_node() -> void:
	var terrain := CorridorTerrain2D.new()
	terrain.vertices = pick_outline()
	terrain.type = random.randi_range(-1, 64)
	terrain.position = pick_point()
	attach(terrain)


# A room with a box in it, and things that move there.
func add_nodes_in_space() -> void:
	match random.randi() % 4:
		0:
			var region := CorridorRegion3D.new()
			region.cell_size = 0.5
			region.needs_floor = random.randi() % 2 == 0
			var box := MeshInstance3D.new()
			box.mesh = BoxMesh.new()
			box.position = Vector3(random.randf_range(-8, 8), 0.5, random.randf_range(-8, 8))
			region.add_child(box)
			attach(region)
		1:
			var obstacle := CorridorObstacle3D.new()
			obstacle.radius = pick_number(2.0)
			attach(obstacle)
		2:
			var terrain := CorridorTerrain3D.new()
			terrain.radius = pick_number(3.0)
			attach(terrain)
		_:
			var body := Node3D.new()
			var agent := CorridorAgent.new()
			agent.auto_move = true
			agent.target_position = Vector3(pick_number(8.0), 0, pick_number(8.0))
			body.add_child(agent)
			attach(body)


func add_other_node() -> void:
	match random.randi() % 5:
		0:
			attach(Node3D.new())
		1:
			attach(CharacterBody2D.new())
		2:
			var body := StaticBody2D.new()
			var shape := CollisionShape2D.new()
			shape.shape = CircleShape2D.new()
			body.add_child(shape)
			body.position = pick_point()
			attach(body)
		3:
			attach(Path2D.new())
		_:
			attach(Node2D.new())


func remove_node() -> void:
	var node := pick_node()
	if node != stage and node.get_parent() != null:
		node.get_parent().remove_child(node)
		if random.randi() % 2 == 0:
			stage.add_child(node)


func reparent_node() -> void:
	var node := pick_node()
	var parent := pick_node()
	if node != stage and node != parent and not node.is_ancestor_of(parent):
		if node.get_parent() != null:
			node.get_parent().remove_child(node)
		parent.add_child(node)


func free_node() -> void:
	var node := pick_node()
	if node == stage:
		return
	if random.randi() % 2 == 0:
		node.queue_free()
	else:
		node.free()


func bake() -> void:
	for node: Variant in nodes:
		if is_instance_valid(node) and (node is CorridorRegion2D or node is CorridorRegion3D):
			var region: Node = node
			if random.randi() % 4 == 0:
				region.clear_corridor_map()
			elif random.randi() % 2 == 0:
				region.bake_corridor_map(random.randi() % 2 == 0)


func move_node() -> void:
	var node := pick_node() as Node2D
	if node != null and node != stage:
		node.position = pick_point()
		node.rotation = pick_number(7.0)
		if random.randi() % 5 == 0:
			node.scale = Vector2(pick_number(3.0), pick_number(3.0))


func set_property() -> void:
	var node := pick_node()
	var properties := ClassDB.class_get_property_list(node.get_class(), true)
	var values: Array = [pick_number(200.0), pick_point(), random.randi() % 5, true, false, null,
		NodePath(".."), "text", TerrainProfile.new(), CorridorMapData.new(), pick_outline()]
	if not properties.is_empty() and node.get_class().begins_with("Corridor"):
		var property: Dictionary = properties[random.randi() % properties.size()]
		node.set(property.name, values[random.randi() % values.size()])
		node.get(property.name)


# ---- The server


func make_map() -> void:
	if maps.size() >= 3:
		return
	var map := server.map_create()
	server.map_set_bounds(map, Rect2(0, 0, 1000, 600))
	server.map_set_active(map, random.randi() % 4 > 0)
	maps.append(map)


func make_obstacle() -> void:
	var obstacle := server.obstacle_create()
	rids.append(obstacle)
	server.obstacle_set_type(obstacle, random.randi_range(0, 4))
	server.obstacle_set_vertices(obstacle, pick_outline())
	server.obstacle_set_radius(obstacle, pick_number(40.0))
	server.obstacle_set_position(obstacle, pick_point())
	server.obstacle_set_map(obstacle, pick_map())


# The number may be anything: an agent, a terrain, or gone.
func edit_obstacle() -> void:
	var rid := pick_rid()
	match random.randi() % 5:
		0:
			server.obstacle_set_vertices(rid, pick_outline())
		1:
			server.obstacle_set_map(rid, pick_map())
		2:
			server.obstacle_set_type(rid, random.randi_range(-1, 5))
		_:
			server.obstacle_set_position(rid, pick_point())


func make_terrain() -> void:
	var terrain := server.terrain_create()
	rids.append(terrain)
	server.terrain_set_vertices(terrain, pick_outline())
	server.terrain_set_type(terrain, random.randi_range(-1, 64))
	server.terrain_set_priority(terrain, random.randi_range(-3, 3))
	server.terrain_set_position(terrain, pick_point())
	server.terrain_set_map(terrain, pick_map())


func make_server_agent() -> void:
	var agent := server.agent_create()
	rids.append(agent)
	server.agent_set_map(agent, pick_map())
	server.agent_set_position(agent, pick_point())
	server.agent_set_radius(agent, pick_number(30.0))
	server.agent_set_max_speed(agent, pick_number(400.0))
	server.agent_set_method(agent, random.randi_range(-1, 4))
	server.agent_set_avoidance_enabled(agent, random.randi() % 2 == 0)
	server.agent_set_target(agent, pick_point())


func free_something() -> void:
	match random.randi() % 6:
		0:
			server.free_rid(pick_map())
		_:
			server.free_rid(pick_rid())


func ask() -> void:
	ask_about(pick_map(), pick_point(), pick_point(), pick_number(40.0))
	for node: Variant in nodes:
		if is_instance_valid(node) and node is CorridorAgent:
			var agent: CorridorAgent = node
			agent.get_next_path_position()
			agent.velocity = pick_point()
			agent.get_corridor()


func ask_about(map: RID, from: Vector2, to: Vector2, radius: float) -> void:
	server.map_get_path(map, from, to, radius)
	server.map_get_clearance(map, from)
	server.map_get_closest_point(map, to, radius)
	server.map_is_reachable(map, from, to, radius)
	server.map_get_largest_radius(map, from, to)
	server.map_cast_disc(map, from, to, radius)
	server.map_get_corridor(map, from, to, radius)
	server.map_get_terrain_type(map, from)
	server.map_get_random_point(map, radius)
	server.map_get_closest_obstacle(map, to)


# The server may be asked and edited from any thread.
func ask_in_thread() -> void:
	if threads.size() >= 4:
		threads.pop_front().wait_to_finish()
	var thread := Thread.new()
	var map := pick_map()
	var rid := pick_rid()
	var points: Array[Vector2] = []
	for i in 12:
		points.append(pick_point())
	var radius := pick_number(40.0)
	thread.start(
		func() -> void:
			for i in range(0, 12, 2):
				ask_about(map, points[i], points[i + 1], radius)
				server.obstacle_set_position(rid, points[i])
	)
	threads.append(thread)


func query_with_callback() -> void:
	var query := CorridorPathQueryParameters.new()
	query.map = pick_map()
	query.start_position = pick_point()
	query.target_position = pick_point()
	query.radius = pick_number(30.0)
	query.route = random.randi_range(0, 4)
	query.terrain_profile = TerrainProfile.new()
	query.control_points = pick_outline()
	var result := CorridorPathQueryResult.new()
	results.append(result)
	server.query_path(query, result, Callable() if random.randi() % 3 == 0 else take_result.bind(result))


func take_result(result: CorridorPathQueryResult) -> void:
	results.erase(result)


func pause() -> void:
	paused = random.randi() % 3 == 0
