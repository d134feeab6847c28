# SPDX-License-Identifier: MIT
# mistakes: expected
# Scripts cannot crash the extension: every method of every class is called with nonsense. Each call
# gives an error or a neutral answer, and the engine is alive afterwards.
extends "checker.gd"

const CLASSES: Array[String] = [
	"NavCorridorServer", "CorridorAgent", "CorridorRegion2D", "CorridorMapData", "TerrainProfile",
	"CorridorObstacle2D", "CorridorTerrain2D", "CorridorObstacle3D", "CorridorTerrain3D",
	"CorridorRegion3D"
]
const MAX_COMBINATIONS := 400

var nonsense: Array = []
var freed_node: Node
var foreign_map := NavigationServer2D.map_create()


func run() -> void:
	freed_node = Node.new()
	nonsense = make_nonsense()
	freed_node.free()
	for name in CLASSES:
		call_everything(name, "before any map exists")
	var region := make_region([make_box(Rect2(400, 200, 200, 200))])
	root.add_child(region)
	var agent := make_agent(Vector2(100, 300), 10.0)
	root.add_child(agent.get_parent())
	agent.target_position = Vector2(900, 300)
	await wait_frames(3)
	nonsense.append(region.get_navigation_map())
	for name in CLASSES:
		call_everything(name, "with a map")
	await wait_frames(5)
	set_every_property()
	await wait_frames(5)
	mistakes_are_named()
	agent.get_parent().free()
	region.free()
	await real_maps_survive_nonsense()
	NavigationServer2D.free_rid(foreign_map)


func make_nonsense() -> Array:
	return [
		null, true, 0, -1, 1 << 40, -9223372036854775808, 0.0, -1.0, NAN, INF, -INF, 1e300, 3e38,
		"", "text", &"name", NodePath("a/b"), Vector2.ZERO, Vector2(NAN, NAN), Vector2(INF, -INF),
		Vector2(3e38, -3e38), Vector2i(7, 7), Vector3(NAN, 0, INF), Vector3(1, 2, 3), Rect2(),
		Rect2(NAN, NAN, NAN, NAN), Rect2(0, 0, -10, -10), Rect2(-3e38, -3e38, INF, INF), Color(
			NAN, 0, 0
		),
		Transform2D(), RID(), foreign_map, Callable(), Callable(self, "missing"),
		Signal(), {}, {"a": NAN}, [], [null, 1, "x"], PackedByteArray(), PackedInt32Array([1, -1]),
		PackedFloat32Array([NAN]), PackedVector2Array(), PackedVector2Array(
			[Vector2(NAN, 0), Vector2(0, INF)]
		),
		PackedVector2Array([Vector2(1, 1)]), PackedVector2Array(
			[Vector2(1, 1), Vector2(1, 1), Vector2(1, 1)]
		),
		PackedVector2Array([Vector2(3e38, 0), Vector2(0, 3e38), Vector2(-3e38, 0)]),
		freed_node, self,
		Resource.new(),
	]


func make_instance(name: String) -> Object:
	return Engine.get_singleton(name) if Engine.has_singleton(name) else ClassDB.instantiate(name)


# All methods that the class itself declares, accessors of properties included.
func call_everything(name: String, when: String) -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 1
	var object := make_instance(name)
	var call_count := 0
	for method: Dictionary in ClassDB.class_get_method_list(name, true):
		var count: int = method.args.size()
		for arguments: Array in make_combinations(random, method.args):
			object.callv(method.name, arguments)
			call_count += 1
		object.callv(method.name, nonsense.slice(0, count + 3))
		if count > 0:
			object.callv(method.name, [])
	check(
		call_count > 0 and is_instance_valid(object),
		"%s survives %d calls %s" % [name, call_count, when]
	)
	if object is Node:
		object.free()
	errors.take()


# Each argument runs through all nonsense while the others are random, of the right type or not.
func make_combinations(random: RandomNumberGenerator, args: Array) -> Array:
	var combinations := []
	if args.is_empty():
		return [[]]
	for position in args.size():
		for value: Variant in nonsense:
			for keep_types: bool in [true, false]:
				var arguments := []
				for i in args.size():
					arguments.append(
						value if i == position else pick(random, args[i].type, keep_types)
					)
				combinations.append(arguments)
	return combinations.slice(0, MAX_COMBINATIONS)


func pick(random: RandomNumberGenerator, type: int, keep_type: bool) -> Variant:
	var candidates := nonsense.filter(func(value: Variant) -> bool: return typeof(value) == type)
	if not keep_type or candidates.is_empty():
		candidates = nonsense
	return candidates[random.randi() % candidates.size()]


func set_every_property() -> void:
	for name: String in [
		"CorridorAgent", "CorridorRegion2D", "CorridorObstacle2D", "CorridorTerrain2D"
	]:
		var body := Node2D.new()
		var node: Node = ClassDB.instantiate(name)
		body.add_child(node)
		root.add_child(body)
		for property: Dictionary in ClassDB.class_get_property_list(name, true):
			for value: Variant in nonsense:
				node.set(property.name, value)
				node.get(property.name)
		check(is_instance_valid(node), "%s survives nonsense in its properties" % name)
		for property: Dictionary in ClassDB.class_get_property_list(name, true):
			var value: Variant = node.get(property.name)
			if value is float:
				check(is_finite(value), "%s.%s is still a number" % [name, property.name])
		body.queue_free()
	errors.take()


# Make a mistake and see what is said about it.
func check_message(mistake: Callable, words: String) -> void:
	errors.take()
	mistake.call()
	var texts := errors.take()
	var is_named := texts.size() == 1 and texts[0].contains(words)
	check(
		is_named, "the message says: %s" % words if is_named else "'%s', not: %s" % [words, texts]
	)


func mistakes_are_named() -> void:
	var map := server.map_create()
	var obstacle := server.obstacle_create()
	check_message(func() -> void: server.map_get_clearance(RID(), Vector2()), "names no map")
	check_message(func() -> void: server.map_get_clearance(obstacle, Vector2()), "names no map")
	check_message(func() -> void: server.map_get_clearance(map, Vector2()), "Call map_set_bounds()")
	check_message(func() -> void: server.map_set_bounds(map, Rect2()), "positive size")
	check_message(
		func() -> void: server.map_set_bounds(map, Rect2(0, 0, 1e20, 1e20)), "coordinates below"
	)
	server.map_set_bounds(map, BOUNDS)
	check_message(func() -> void: server.map_set_search_budget(map, -1), "from 0 on, not -1")
	check_message(
		func() -> void: server.map_get_clearance(map, Vector2(NAN, 0)), "no usable position"
	)
	check_message(
		func() -> void: server.map_get_path(map, Vector2(), Vector2(1, 1), -1.0), "at least 0"
	)
	check_message(
		func() -> void: server.map_get_path(map, Vector2(), Vector2(1, 1), 1.0, 9),
		"ROUTE_MEDIAL or"
	)
	check_message(func() -> void: server.obstacle_set_radius(obstacle, NAN), "at least 0")
	check_message(func() -> void: server.obstacle_set_type(obstacle, 7), "ObstacleType")
	check_message(func() -> void: server.obstacle_set_map(obstacle, obstacle), "names no map")
	check_message(
		server.obstacle_set_vertices.bind(obstacle, PackedVector2Array([Vector2(INF, 0)])),
		"vertex 0"
	)
	check_message(func() -> void: server.get_process_info(99), "ProcessInfo")
	check_message(func() -> void: server.free_rid(RID()), "freed before")
	server.free_rid(map)
	check_message(func() -> void: server.free_rid(map), "freed before")
	check_message(func() -> void: server.map_get_clearance(map, Vector2()), "names no map")
	server.free_rid(obstacle)

	var agent := CorridorAgent.new()
	check_message(func() -> void: agent.get_next_path_position(), "needs a parent")
	check_message(func() -> void: agent.radius = -1.0, "at least 0")
	check_message(func() -> void: agent.max_speed = INF, "at least 0")
	check_message(func() -> void: agent.target_position = "here", "a Vector2 or a Vector3")
	check_message(func() -> void: agent.velocity = Vector2(NAN, 0), "usable numbers")
	check_message(
		func() -> void: agent.set_navigation_map(foreign_map), "names no map of NavCorridorServer"
	)
	agent.free()
	var region := CorridorRegion2D.new()
	check_message(func() -> void: region.bake_corridor_map(false), "to the tree first")
	check_message(func() -> void: region.outline = PackedVector2Array([Vector2(NAN, 0)]), "point 0")
	check_message(func() -> void: region.bounds = Rect2(INF, 0, 1, 1), "ordinary numbers")
	region.bounds = Rect2()
	root.add_child(region)
	check_message(func() -> void: region.bake_corridor_map(false), "has no area")
	region.free()


func real_maps_survive_nonsense() -> void:
	var region := make_region([make_box(Rect2(400, 200, 200, 200))])
	root.add_child(region)
	var crate := server.obstacle_create()
	server.obstacle_set_map(crate, region.get_navigation_map())
	for value: Variant in nonsense:
		if value is PackedVector2Array:
			server.obstacle_set_vertices(crate, value)
			server.map_force_update(region.get_navigation_map())
	var body := Node2D.new()
	body.position = Vector2(3e38, NAN)
	var agent := CorridorAgent.new()
	body.add_child(agent)
	root.add_child(body)
	agent.auto_move = true
	agent.target_position = Vector2(-3e38, 3e38)
	await wait_frames(5)
	body.position = Vector2(100, 300)
	region.scale = Vector2(0, 0)
	await wait_frames(5)
	region.scale = Vector2(1e30, -1e30)
	await wait_frames(5)
	region.scale = Vector2(1, 1)
	await wait_frames(3)
	server.free_rid(crate)
	agent.target_position = Vector2(900, 300)
	await wait_frames(5)
	check_near(
		server.map_get_clearance(region.get_navigation_map(), Vector2(390, 300)), 10.0, 0.01,
		"the map is right after all that"
	)
	check(agent.is_target_reachable(), "and agents use it")
	body.free()
	region.free()
	errors.take()
