# SPDX-License-Identifier: MIT
# mistakes: expected
# Obstacle nodes follow their transform, change the maps they touch, and leave no trace.
extends "checker.gd"

const LEFT := Vector2(100, 300)
const RIGHT := Vector2(900, 300)


func run() -> void:
	the_defaults_are_those_of_navigation_obstacle()
	await it_is_in_the_map_before_ready()
	await it_changes_path_and_clearance_while_it_moves()
	await its_shape_follows_transform_and_properties()
	await an_update_is_local()
	await it_lies_in_every_map_that_it_touches()
	await it_can_be_reparented_between_worlds()
	await it_can_be_given_a_map()
	await freed_nodes_leave_no_trace()
	await the_scene_can_be_reloaded()
	await agents_replan()
	mistakes_are_named()


func make_obstacle(position: Vector2, radius := 50.0) -> CorridorObstacle2D:
	var obstacle := CorridorObstacle2D.new()
	obstacle.position = position
	obstacle.radius = radius
	return obstacle


func add_region(bounds := BOUNDS) -> CorridorRegion2D:
	var region := CorridorRegion2D.new()
	region.bounds = bounds
	root.add_child(region)
	return region


func clearance(region: CorridorRegion2D, point: Vector2) -> float:
	return server.map_get_clearance(region.get_navigation_map(), point)


func count_obstacles(region: CorridorRegion2D) -> int:
	return server.map_get_obstacles(region.get_navigation_map()).size()


func the_defaults_are_those_of_navigation_obstacle() -> void:
	var ours := CorridorObstacle2D.new()
	var theirs := NavigationObstacle2D.new()
	check_equal(ours.radius, theirs.radius, "the radius has the default of NavigationObstacle2D")
	check_equal(ours.vertices, theirs.vertices, "and so have the vertices")
	check_equal(ours.type, NavCorridorServer.OBSTACLE_POLYGON, "it is solid")
	ours.free()
	theirs.free()


# Whatever the order of nodes in the scene.
func it_is_in_the_map_before_ready() -> void:
	for is_first: bool in [true, false]:
		var scene := Node2D.new()
		var region := CorridorRegion2D.new()
		region.bounds = BOUNDS
		var obstacle := make_obstacle(Vector2(500, 300))
		scene.add_child(obstacle if is_first else region)
		scene.add_child(region if is_first else obstacle)
		root.add_child(scene)
		var where := "before" if is_first else "after"
		check_near(
			clearance(region, Vector2(420, 300)), 30.0, 0.5, "an obstacle %s the region counts" % where
		)
		check(clearance(region, Vector2(420, 300)) <= 30.0, "and is not made smaller")
		check_equal(clearance(region, Vector2(500, 300)), 0.0, "its inside is not free")
		scene.free()
	await wait_frames(1)


func it_changes_path_and_clearance_while_it_moves() -> void:
	var region := add_region()
	var map := region.get_navigation_map()
	var obstacle := make_obstacle(Vector2(500, 100))
	root.add_child(obstacle)
	var longest := 0.0
	var is_right := true
	for i in 41:
		obstacle.position = Vector2(500, 100 + 10 * i)
		await wait_frames(2)
		var expected := absf(obstacle.position.y - 300.0) - 50.0
		var measured := server.map_get_clearance(map, Vector2(500, 300))
		if expected > 1.0 and expected < 200.0:
			is_right = is_right and absf(measured - expected) < 0.5
		var path := server.map_get_path(map, LEFT, RIGHT, 10.0)
		var length := 0.0
		for k in path.size() - 1:
			length += path[k].distance_to(path[k + 1])
		longest = maxf(longest, length)
	check(is_right, "the clearance follows it across the corridor")
	check(longest > 801.0, "the path goes around it while it is in the way (%f)" % longest)
	var end := server.map_get_path(map, LEFT, RIGHT, 10.0)
	check_equal(end.size(), 2, "and is straight again when it has passed")
	obstacle.free()
	region.free()
	await wait_frames(1)


func its_shape_follows_transform_and_properties() -> void:
	var region := add_region()
	var obstacle := make_obstacle(Vector2(500, 300))
	root.add_child(obstacle)
	obstacle.scale = Vector2(2, 1)
	await wait_frames(2)
	check_near(clearance(region, Vector2(380, 300)), 20.0, 1.0, "a scaled circle is an ellipse")
	check_near(clearance(region, Vector2(500, 230)), 20.0, 1.0, "in both directions")
	obstacle.scale = Vector2.ONE
	obstacle.vertices = make_box(Rect2(-100, -10, 200, 20))
	await wait_frames(2)
	check_near(clearance(region, Vector2(500, 270)), 20.0, 0.01, "vertices take the circle's place")
	obstacle.rotation = PI / 2
	await wait_frames(2)
	check_near(clearance(region, Vector2(470, 250)), 20.0, 0.01, "and turn with the node")
	obstacle.type = NavCorridorServer.OBSTACLE_CHAIN
	await wait_frames(2)
	check(clearance(region, Vector2(500, 300)) > 5.0, "the inside of walls is free")
	obstacle.enabled = false
	await wait_frames(2)
	check_near(clearance(region, Vector2(500, 300)), 300.0, 0.01, "switched off it blocks nothing")
	obstacle.enabled = true
	obstacle.radius = 20.0
	obstacle.vertices = PackedVector2Array()
	server.map_force_update(region.get_navigation_map())
	check_near(clearance(region, Vector2(450, 300)), 30.0, 0.5, "map_force_update() takes it at once")
	obstacle.position.x += 20.0
	server.map_force_update(region.get_navigation_map())
	check_near(clearance(region, Vector2(450, 300)), 50.0, 0.5, "and where it has moved to")
	obstacle.free()
	region.free()
	await wait_frames(1)


# A frame in which nothing moves does not touch the map, and one in which something moves once.
func an_update_is_local() -> void:
	var region := add_region()
	var map := region.get_navigation_map()
	var obstacle := make_obstacle(Vector2(500, 300))
	root.add_child(obstacle)
	await wait_frames(3)
	var before := server.map_get_iteration_id(map)
	await wait_frames(10)
	check_equal(server.map_get_iteration_id(map), before, "an obstacle at rest changes nothing")
	for i in 5:
		obstacle.position.x += 1.0
	obstacle.radius = 40.0
	await wait_frames(2)
	check_equal(server.map_get_iteration_id(map), before + 1, "many changes are one update")
	obstacle.free()
	region.free()
	await wait_frames(1)


func it_lies_in_every_map_that_it_touches() -> void:
	var west := add_region(Rect2(0, 0, 500, 600))
	var east := add_region(Rect2(500, 0, 500, 600))
	var obstacle := make_obstacle(Vector2(500, 300))
	root.add_child(obstacle)
	check_near(clearance(west, Vector2(400, 300)), 50.0, 0.5, "on a border it blocks one region")
	check_near(clearance(east, Vector2(600, 300)), 50.0, 0.5, "and the other")
	obstacle.position = Vector2(800, 300)
	await wait_frames(2)
	check_equal(count_obstacles(west), 0, "a region that it has left forgets it")
	check_equal(count_obstacles(east), 1, "the other one has it")
	check_equal(obstacle.get_navigation_map(), east.get_navigation_map(), "and it knows which")
	east.enabled = false
	east.bounds = Rect2(500, 0, 100, 600)
	await wait_frames(3)
	check_equal(count_obstacles(east), 0, "a region that shrinks loses it")
	east.bounds = Rect2(500, 0, 500, 600)
	await wait_frames(3)
	check_equal(count_obstacles(east), 1, "one that grows takes it")
	obstacle.free()
	west.free()
	east.free()
	await wait_frames(1)


func it_can_be_reparented_between_worlds() -> void:
	var region := add_region()
	var viewport := SubViewport.new()
	viewport.world_2d = World2D.new()
	var other := CorridorRegion2D.new()
	other.bounds = BOUNDS
	viewport.add_child(other)
	root.add_child(viewport)
	var obstacle := make_obstacle(Vector2(500, 300))
	root.add_child(obstacle)
	check_equal(count_obstacles(region), 1, "an obstacle is in the map of its world")
	check_equal(count_obstacles(other), 0, "and not in that of another")
	obstacle.reparent(viewport)
	check_equal(count_obstacles(region), 0, "in another viewport it leaves the first world")
	check_equal(count_obstacles(other), 1, "and is in the other")
	obstacle.reparent(region)
	check_equal(count_obstacles(region), 1, "it comes back")
	check_equal(count_obstacles(other), 0, "without a trace")
	obstacle.free()
	viewport.free()
	region.free()
	await wait_frames(1)


func it_can_be_given_a_map() -> void:
	var region := add_region()
	var map := server.map_create()
	server.map_set_bounds(map, BOUNDS)
	var obstacle := make_obstacle(Vector2(500, 300))
	root.add_child(obstacle)
	obstacle.set_navigation_map(map)
	await wait_frames(2)
	check_equal(count_obstacles(region), 0, "with a map of its own it is in no other")
	check_near(server.map_get_clearance(map, Vector2(400, 300)), 50.0, 0.5, "but in that")
	server.free_rid(map)
	await wait_frames(2)
	check_equal(count_obstacles(region), 0, "also after the map is gone")
	obstacle.set_navigation_map(RID())
	await wait_frames(2)
	check_equal(count_obstacles(region), 1, "without one it is where it touches")
	server.free_rid(obstacle.get_rid())
	check_equal(count_obstacles(region), 0, "a script may free its RID")
	obstacle.position.x += 1.0
	await wait_frames(2)
	check_equal(count_obstacles(region), 1, "it makes another when it moves")
	obstacle.free()
	region.free()
	await wait_frames(1)


func freed_nodes_leave_no_trace() -> void:
	var before := server.get_process_info(NavCorridorServer.INFO_OBSTACLE_COUNT)
	var region := add_region()
	var nodes: Array[Node] = []
	for i in 20:
		nodes.append(make_obstacle(Vector2(50 + 45 * i, 300), 10.0))
		(root if i % 2 == 0 else region).add_child(nodes[i])
	check_equal(count_obstacles(region), 20, "twenty obstacles are there")
	root.remove_child(nodes[0])
	check_equal(count_obstacles(region), 19, "one that leaves the tree leaves the map")
	nodes[0].free()
	nodes[2].queue_free()
	await wait_frames(2)
	check_equal(count_obstacles(region), 18, "one that is queued, too")
	check_near(clearance(region, Vector2(50, 300)), 35.0, 0.5, "the ground is free again")
	region.free() # with half of them below it
	check_equal(
		server.get_process_info(NavCorridorServer.INFO_OBSTACLE_COUNT), before, "no region, no obstacles"
	)
	for node in nodes:
		if is_instance_valid(node):
			node.free()
	await wait_frames(2)
	var late := add_region()
	check_equal(count_obstacles(late), 0, "nothing is left for the next region")
	late.free()


func the_scene_can_be_reloaded() -> void:
	var scene := Node2D.new()
	var region := CorridorRegion2D.new()
	region.bounds = BOUNDS
	region.name = "Region"
	var obstacle := make_obstacle(Vector2(500, 300))
	obstacle.vertices = make_box(Rect2(-10, -10, 20, 20))
	obstacle.name = "Crate"
	scene.add_child(region)
	region.add_child(obstacle)
	region.owner = scene
	obstacle.owner = scene
	var packed := PackedScene.new()
	check_equal(packed.pack(scene), OK, "a scene with an obstacle is packed")
	scene.free()
	check_equal(ResourceSaver.save(packed, "res://crate.tscn"), OK, "and saved")
	check_equal(change_scene_to_file("res://crate.tscn"), OK, "it opens")
	await scene_changed
	for i in 3:
		region = current_scene.get_node("Region")
		check_equal(count_obstacles(region), 1, "its obstacle is there")
		check_near(clearance(region, Vector2(480, 300)), 10.0, 0.01, "with its vertices")
		reload_current_scene()
		await scene_changed
	current_scene.free()
	DirAccess.remove_absolute("res://crate.tscn")
	await wait_frames(2)


# An agent whose way is blocked goes another way; it never touches the obstacle.
func agents_replan() -> void:
	var region := add_region()
	var obstacle := make_obstacle(Vector2(500, 700), 1.0)
	obstacle.vertices = make_box(Rect2(-20, -200, 40, 400))
	root.add_child(obstacle)
	var agent := make_agent(LEFT, 15.0)
	agent.auto_move = true
	agent.max_speed = 400.0
	root.add_child(agent.get_parent())
	agent.target_position = RIGHT
	await wait_frames(15)
	obstacle.position = Vector2(500, 300)
	var least := INF
	for i in 600:
		await physics_frame
		least = minf(least, clearance(region, agent.get_parent().position))
		if agent.is_navigation_finished():
			break
	check(agent.is_target_reached(), "an agent gets around an obstacle that came into its way")
	check(least >= 15.0 - 0.01, "and keeps its distance (%f)" % least)
	agent.get_parent().free()
	obstacle.free()
	region.free()
	await wait_frames(1)


func mistakes_are_named() -> void:
	var obstacle := CorridorObstacle2D.new()
	errors.take()
	obstacle.radius = -1.0
	check(errors.take()[0].contains("at least 0"), "a negative radius is refused")
	check_equal(obstacle.radius, 0.0, "and nothing has changed")
	obstacle.vertices = PackedVector2Array([Vector2(NAN, 0)])
	check(errors.take()[0].contains("vertex 0"), "a vertex that is no number is refused")
	obstacle.type = NavCorridorServer.OBSTACLE_WALKABLE
	check(errors.take()[0].contains("from 0 to 2"), "it cannot be a walkable area")
	obstacle.set_navigation_map(RID())
	check_equal(errors.take().size(), 0, "no map is allowed")
	var foreign := NavigationServer2D.map_create()
	obstacle.set_navigation_map(foreign)
	NavigationServer2D.free_rid(foreign)
	check(errors.take()[0].contains("names no map"), "a map of another server is refused")
	obstacle.position = Vector2(NAN, INF)
	obstacle.radius = 10.0
	var region := add_region()
	root.add_child(obstacle)
	check_equal(count_obstacles(region), 0, "an obstacle that is nowhere blocks nothing")
	obstacle.free()
	region.free()
