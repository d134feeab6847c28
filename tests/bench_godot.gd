# SPDX-License-Identifier: MIT
# NavCorridor and Godot's own navigation side by side, in one process: tools/bench godot.
#
#     bake     a city of 900 blocks
#     paths    10,000 random paths through it, 1,000 across and 1,000 short ones
#     agents   1,000 agents for 60 seconds of game time; the time of a frame
#     avoidance   the same with avoidance, for 15 seconds
#     door     a door of a city of 9,604 blocks with 220 agents moves in each of 1,000 frames
#
# Arguments after --: the names of the parts to run (all), and --json.
# How close agents come to a wall is measured by brute force: the walls are a grid of boxes.
extends SceneTree

const RADIUS := 10.0
const CELL := 120.0 # from block to block
const BLOCK := 76.0 # a block's side; the streets are 44 wide
const SPEED := 100.0
const PATHS := 10000
const AGENTS := 1000
const SECONDS := 60
const DOOR_FRAMES := 1000
const DOOR_AGENTS := 200

var side := 30
var results: Dictionary[String, Variant] = {}
var ours: RID
var theirs: RID
var retargeted: Dictionary[CorridorAgent, bool] = {} # in this frame or the one before


func _initialize() -> void:
	run.call_deferred()


func run() -> void:
	var parts := OS.get_cmdline_user_args()
	var is_json := parts.has("--json")
	if is_json:
		parts.remove_at(parts.find("--json"))
	await physics_frame
	for part: String in ["bake", "paths", "agents", "avoidance", "door"]:
		if parts.is_empty() or parts.has(part) or part == "bake":
			await call("measure_" + part)
	if is_json:
		print(JSON.stringify(results))
	free_ours()
	for region: RID in NavigationServer2D.map_get_regions(theirs):
		NavigationServer2D.free_rid(region)
	NavigationServer2D.free_rid(theirs)
	print("sentinel")
	quit()


func say(text: String) -> void:
	printerr(text)


# ---- The city


func get_size() -> float:
	return CELL * side + (CELL - BLOCK)


func get_block(column: int, row: int) -> Rect2:
	var gap := CELL - BLOCK
	return Rect2(gap + CELL * column, gap + CELL * row, BLOCK, BLOCK)


func get_corners(rect: Rect2) -> PackedVector2Array:
	return PackedVector2Array(
		[rect.position, Vector2(rect.end.x, rect.position.y), rect.end, Vector2(rect.position.x, rect.end.y)]
	)


# The distance from a point to the nearest block or to the border; negative inside.
func find_clearance(point: Vector2) -> float:
	var size := get_size()
	var best := minf(minf(point.x, size - point.x), minf(point.y, size - point.y))
	var gap := CELL - BLOCK
	var column := floori((point.x - gap) / CELL)
	var row := floori((point.y - gap) / CELL)
	for i in range(maxi(column, 0), mini(column + 2, side)):
		for k in range(maxi(row, 0), mini(row + 2, side)):
			var rect := get_block(i, k)
			var out := (point - rect.get_center()).abs() - rect.size / 2.0
			var outside := Vector2(maxf(out.x, 0.0), maxf(out.y, 0.0)).length()
			best = minf(best, outside if outside > 0.0 else maxf(out.x, out.y))
	return best


func make_points(count: int) -> PackedVector2Array:
	var random := RandomNumberGenerator.new()
	random.seed = 7
	var points := PackedVector2Array()
	while points.size() < count:
		var point := Vector2(random.randf(), random.randf()) * get_size()
		if find_clearance(point) > RADIUS + 2.0:
			points.append(point)
	return points


func build_ours() -> float:
	var begin := Time.get_ticks_usec()
	ours = NavCorridorServer.map_create()
	NavCorridorServer.map_set_bounds(ours, Rect2(0, 0, get_size(), get_size()))
	for column in side:
		for row in side:
			var obstacle := NavCorridorServer.obstacle_create()
			NavCorridorServer.obstacle_set_vertices(obstacle, get_corners(get_block(column, row)))
			NavCorridorServer.obstacle_set_map(obstacle, ours)
	NavCorridorServer.map_set_active(ours, true)
	NavCorridorServer.map_force_update(ours)
	return (Time.get_ticks_usec() - begin) * 1e-6


func free_ours() -> void:
	for obstacle: RID in NavCorridorServer.map_get_obstacles(ours):
		NavCorridorServer.free_rid(obstacle)
	NavCorridorServer.free_rid(ours)


func measure_bake() -> void:
	var source := NavigationMeshSourceGeometryData2D.new()
	source.add_traversable_outline(get_corners(Rect2(0, 0, get_size(), get_size())))
	for column in side:
		for row in side:
			source.add_obstruction_outline(get_corners(get_block(column, row)))
	var polygon := NavigationPolygon.new()
	polygon.agent_radius = RADIUS
	var begin := Time.get_ticks_usec()
	NavigationServer2D.bake_from_source_geometry_data(polygon, source)
	var bake := (Time.get_ticks_usec() - begin) * 1e-6
	theirs = NavigationServer2D.map_create()
	NavigationServer2D.map_set_use_async_iterations(theirs, false)
	NavigationServer2D.map_set_active(theirs, true)
	var region := NavigationServer2D.region_create()
	NavigationServer2D.region_set_use_async_iterations(region, false)
	NavigationServer2D.region_set_map(region, theirs)
	NavigationServer2D.region_set_navigation_polygon(region, polygon)
	for i in 5:
		await physics_frame
	say("Godot's polygon has %d parts" % polygon.get_polygon_count())
	var own := INF
	for i in 3:
		if ours.is_valid():
			free_ours()
		own = minf(own, build_ours())
	report("bake of %d blocks" % (side * side), own, bake, 100.0, "s")


func report(name: String, own: float, other: float, bar: float, unit: String) -> void:
	var ratio := other / own
	results[name] = {"ours": own, "godot": other, "ratio": ratio, "bar": bar}
	say("%s: ours %.6f %s, Godot %.6f %s: %.1fx (bar %.0fx) %s" % [
		name, own, unit, other, unit, ratio, bar, "holds" if ratio >= bar else "DOES NOT HOLD"
	])


# ---- Paths


# First at equal work: both pull their path tight in one corridor. Then with our usual budget, which
# looks for shorter paths elsewhere.
func measure_paths() -> void:
	var random := make_points(2 * PATHS)
	var across := make_pairs(PATHS / 10, 0.8, 2.0)
	var short := make_pairs(PATHS / 10, 0.01, 0.08)
	var usual := NavCorridorServer.map_get_search_budget(ours)
	for budget: int in [0, usual]:
		var how := "usual budget" if budget > 0 else "one corridor"
		NavCorridorServer.map_set_search_budget(ours, budget)
		compare_paths("random paths, " + how, random, 10.0)
		compare_paths("paths across, " + how, across, 20.0)
		compare_paths("short paths, " + how, short, 20.0)


# Pairs of points with distances between two parts of the city's side.
func make_pairs(count: int, least: float, most: float) -> PackedVector2Array:
	var pairs := PackedVector2Array()
	var points := make_points(count)
	var random := RandomNumberGenerator.new()
	random.seed = 8
	while pairs.size() < 2 * count:
		var start := points[random.randi_range(0, points.size() - 1)]
		var reach := minf(most, 1.5) * get_size()
		var goal := start + Vector2(random.randf_range(-reach, reach), random.randf_range(-reach, reach))
		var part := start.distance_to(goal) / get_size()
		var is_free := find_clearance(goal) > RADIUS + 2.0
		if part >= least and part <= most and is_free:
			pairs.append(start)
			pairs.append(goal)
	return pairs


# Both give the points of a smooth path. Each answers 25 questions in its turn, so that both see the
# same machine, and the better of three rounds counts.
func compare_paths(name: String, points: PackedVector2Array, bar: float) -> void:
	var count := points.size() / 2
	var own := 0.0
	var other := 0.0
	var own_length := 0.0
	var other_length := 0.0
	for i in range(0, count, 25):
		var mine: Array[PackedVector2Array] = []
		var others: Array[PackedVector2Array] = []
		var best := [INF, INF]
		for turn in 3:
			mine.clear()
			others.clear()
			var begin := Time.get_ticks_usec()
			for k in range(i, i + 25):
				mine.append(NavCorridorServer.map_get_path(ours, points[2 * k], points[2 * k + 1], RADIUS))
			var middle := Time.get_ticks_usec()
			for k in range(i, i + 25):
				others.append(NavigationServer2D.map_get_path(theirs, points[2 * k], points[2 * k + 1], true))
			best[1] = minf(best[1], Time.get_ticks_usec() - middle)
			best[0] = minf(best[0], middle - begin)
		own += best[0] * 1e-6
		other += best[1] * 1e-6
		for k in 25:
			own_length += measure_length(mine[k])
			other_length += measure_length(others[k])
	report("%d %s" % [count, name], own, other, bar, "s")
	say("  mean length: ours %.1f, Godot %.1f" % [own_length / count, other_length / count])


func measure_length(path: PackedVector2Array) -> float:
	var length := 0.0
	for i in range(1, path.size()):
		length += path[i - 1].distance_to(path[i])
	return length


# ---- Agents
#
# Both sides do what their documentation says. Ours move by themselves and tell when they have arrived;
# Godot's are asked for the next point and moved by a script in each frame. With avoidance Godot's
# are told their velocity and moved by the answer; ours need nothing more.


# Let 1,000 agents walk, and return the wall time of a frame and how often one was too close to a wall.
# `make` gives an agent, `step` moves the node above one before each frame if it is valid.
func walk(name: String, seconds: int, make: Callable, step: Callable) -> Dictionary:
	var points := make_points(2 * AGENTS)
	var walkers: Array[Node2D] = []
	var arrived := PackedInt32Array([0])
	for i in AGENTS:
		var walker := Node2D.new()
		var agent: Node = make.call()
		walker.position = points[2 * i]
		walker.add_child(agent)
		root.add_child(walker)
		walkers.append(walker)
		# To the next target after each arrival.
		var next := PackedInt32Array([2 * i + 1])
		agent.connect("navigation_finished", func() -> void:
			arrived[0] += 1
			next[0] = (next[0] + 2) % points.size()
			agent.set.call_deferred("target_position", points[next[0]])
		)
	await physics_frame
	var close := 0
	var time := 0
	for i in AGENTS:
		walkers[i].get_child(0).set("target_position", points[2 * i + 1])
	var frames := seconds * 60
	for frame in frames:
		var begin := Time.get_ticks_usec()
		if step.is_valid():
			for walker in walkers:
				step.call(walker)
		await physics_frame
		time += Time.get_ticks_usec() - begin
		for walker in walkers:
			close += 1 if find_clearance(walker.position) < RADIUS - 0.001 else 0
	for walker in walkers:
		walker.free()
	var per_frame := time * 1e-3 / frames
	say("  %s: %.3f ms a frame, %d arrivals, %d of %d agent-frames too close to a wall" % [
		name, per_frame, arrived[0], close, AGENTS * frames
	])
	return {"ms": per_frame, "close": close, "arrivals": arrived[0]}


func make_own_agent(avoidance: bool) -> Node:
	var agent := CorridorAgent.new()
	agent.radius = RADIUS
	agent.max_speed = SPEED
	agent.auto_move = true
	agent.avoidance_enabled = avoidance
	agent.set_navigation_map(ours)
	return agent


func make_other_agent(distance: float, avoidance: bool) -> Node:
	var agent := NavigationAgent2D.new()
	agent.radius = RADIUS
	agent.path_desired_distance = distance
	agent.max_speed = SPEED
	agent.avoidance_enabled = avoidance
	agent.set_navigation_map(theirs)
	if avoidance:
		agent.velocity_computed.connect(func(velocity: Vector2) -> void:
			var walker: Node2D = agent.get_parent()
			walker.position += velocity / 60.0
		)
	return agent


# As Godot's documentation has it.
func step_other_agent(walker: Node2D) -> void:
	var agent: NavigationAgent2D = walker.get_child(0)
	if not agent.is_navigation_finished():
		walker.position = walker.position.move_toward(agent.get_next_path_position(), SPEED / 60.0)


# Likewise, with avoidance.
func step_avoiding_agent(walker: Node2D) -> void:
	var agent: NavigationAgent2D = walker.get_child(0)
	if not agent.is_navigation_finished():
		agent.velocity = walker.position.direction_to(agent.get_next_path_position()) * SPEED


func measure_agents() -> void:
	say("%d agents, %d s of game time; avoidance is off on both sides, as by default" % [AGENTS, SECONDS])
	var own: Dictionary = await walk("ours", SECONDS, make_own_agent.bind(false), Callable())
	var usual: Dictionary = await walk(
		"Godot, path_desired_distance 20", SECONDS, make_other_agent.bind(20.0, false), step_other_agent
	)
	var small: Dictionary = await walk(
		"Godot, path_desired_distance 2", SECONDS, make_other_agent.bind(2.0, false), step_other_agent
	)
	report("agents, a frame", own["ms"], usual["ms"], 2.0, "ms")
	results["agent-frames too close"] = {"ours": own["close"], "godot": usual["close"], "godot small": small["close"]}
	say("  too close: ours %d (bar 0), Godot %d and %d" % [own["close"], usual["close"], small["close"]])


func measure_avoidance() -> void:
	var seconds := SECONDS / 4
	say("%d agents, %d s of game time; avoidance is on on both sides" % [AGENTS, seconds])
	var own: Dictionary = await walk("ours", seconds, make_own_agent.bind(true), Callable())
	var usual: Dictionary = await walk(
		"Godot, path_desired_distance 20", seconds, make_other_agent.bind(20.0, true), step_avoiding_agent
	)
	report("avoiding agents, a frame", own["ms"], usual["ms"], 1.0, "ms")
	say("  too close: ours %d (bar 0), Godot %d" % [own["close"], usual["close"]])


# ---- A door in the large city
#
# Agents walk all over the city while a door opens and closes in one street. In each frame the whole
# navigation is measured: the edit, the update of the map, and the step of all agents.


func make_walker(start: Vector2, goal: Vector2) -> CorridorAgent:
	var walker := Node2D.new()
	var agent := make_own_agent(false)
	walker.position = start
	walker.add_child(agent)
	root.add_child(walker)
	agent.set("target_position", goal)
	return agent


# Whether the door is in the way of what is left of an agent's path: closer than a distance.
func is_in_the_way(door: Rect2, agent: CorridorAgent, distance: float) -> bool:
	var path: PackedVector2Array = agent.get_current_navigation_path()
	var corners := get_corners(door)
	for i in range(maxi(agent.get_current_navigation_path_index(), 1), path.size()):
		for k in 4:
			var pair := Geometry2D.get_closest_points_between_segments(
				path[i - 1], path[i], corners[k], corners[(k + 1) % 4]
			)
			if pair[0].distance_to(pair[1]) < distance:
				return true
	return false


# Agents who walk to and fro through a street, in which the door is.
func make_commuter(middle: Vector2, far: Vector2) -> CorridorAgent:
	var agent := make_walker(middle - far, middle + far)
	var way := [far]
	agent.navigation_finished.connect(func() -> void:
		way[0] = -way[0]
		retargeted[agent] = true
		agent.set.call_deferred("target_position", middle + way[0])
	)
	return agent


# Some hundred agents somewhere, and some who walk through that street.
func make_door_agents(street: Vector2) -> Array[CorridorAgent]:
	var agents: Array[CorridorAgent] = []
	var points := make_points(2 * DOOR_AGENTS)
	for i in DOOR_AGENTS:
		agents.append(make_walker(points[2 * i], points[2 * i + 1]))
	for i in DOOR_AGENTS / 10:
		agents.append(make_commuter(street + Vector2(22, 0), Vector2(0, 200.0 + 20.0 * i)))
	return agents


# Counts of agent-frames.
var door_counts: Dictionary[String, int] = {}


func count_if(condition: bool, name: String) -> void:
	door_counts[name] = door_counts.get(name, 0) + (1 if condition else 0)


# Move the door in each of many frames, and return what these took, in seconds.
func move_door(door: RID, street: Vector2, is_counting: bool) -> PackedFloat64Array:
	var agents := make_door_agents(street)
	for i in 30:
		await physics_frame
	var times := PackedFloat64Array()
	for i in DOOR_FRAMES:
		# From inside of a block across the street, and back.
		var box := Rect2(street + Vector2(2.0 - 41.0 * (0.5 + 0.5 * cos(i * 0.05)), 30), Vector2(40, 6))
		var in_the_way: Array[bool] = []
		var beside: Array[bool] = []
		var searches := PackedInt32Array()
		for agent in agents if is_counting else []:
			var is_walking: bool = not agent.is_navigation_finished()
			in_the_way.append(is_walking and is_in_the_way(box, agent, RADIUS))
			# Agents keep a little more than their radius.
			beside.append(is_walking and is_in_the_way(box, agent, RADIUS + 0.1))
			searches.append(NavCorridorServer.agent_get_search_count(agent.get_rid()))
		# A new target is searched for in the frame after.
		var before := retargeted.duplicate()
		var begin := Time.get_ticks_usec()
		NavCorridorServer.obstacle_set_position(door, box.position)
		await physics_frame
		times.append((Time.get_ticks_usec() - begin) * 1e-6)
		for k in searches.size():
			var is_searched := NavCorridorServer.agent_get_search_count(agents[k].get_rid()) != searches[k]
			count_if(in_the_way[k], "blocked")
			count_if(in_the_way[k] and not is_searched and is_in_the_way(box, agents[k], RADIUS), "late")
			count_if(is_searched and not beside[k] and not retargeted.has(agents[k]), "searched without need")
			count_if(not is_searched and not beside[k], "untouched")
		for agent: CorridorAgent in before:
			retargeted.erase(agent)
	for agent in agents:
		agent.get_parent().free()
	retargeted.clear()
	return times


func measure_door() -> void:
	free_ours()
	side = 98
	var rebuild := build_ours()
	for i in 4:
		free_ours()
		rebuild = minf(rebuild, build_ours())
	var door := NavCorridorServer.obstacle_create()
	var street := get_block(49, 49).position - Vector2(CELL - BLOCK, 0)
	NavCorridorServer.obstacle_set_vertices(door, get_corners(Rect2(0, 0, 40, 6)))
	NavCorridorServer.obstacle_set_position(door, street + Vector2(-39, 30))
	NavCorridorServer.obstacle_set_map(door, ours)
	NavCorridorServer.map_force_update(ours)
	var first := NavCorridorServer.map_get_iteration_id(ours)
	# The same three times. A frame took what it took at best: other programs are not our work.
	var times := await move_door(door, street, true)
	say("the map changed %d times" % (NavCorridorServer.map_get_iteration_id(ours) - first))
	for round in 2:
		var again := await move_door(door, street, false)
		for i in DOOR_FRAMES:
			times[i] = minf(times[i], again[i])
	times.sort()
	var p99 := times[int(DOOR_FRAMES * 0.99)]
	say("door in %d blocks with %d agents: median %.3f ms, p99 %.3f ms" % [
		side * side, DOOR_AGENTS * 11 / 10, times[DOOR_FRAMES / 2] * 1e3, p99 * 1e3
	])
	report("a frame with a moved door (p99) against a rebuild", p99, rebuild, 50.0, "s")
	results["door"] = door_counts
	say("  agent-frames: %d with the door in the way, %d of them not searched in that frame (bar 0); %d searched without need, %d left alone" % [
		door_counts["blocked"], door_counts["late"], door_counts["searched without need"], door_counts["untouched"]
	])
