# SPDX-License-Identifier: MIT
# A big city: 9,604 blocks, made by a script when the scene is opened, also in the editor, and agents
# without nodes that the server moves in one batch. A camera flies over it.
@tool
extends Node2D

const SELF_TEST_SECONDS := 14.0
const SIDE := 98 # blocks in a row
const CELL := 120.0 # from block to block
const AGENTS := 2000
const RADII: Array[float] = [3.0, 6.0, 9.0, 14.0]
const COLORS: Array[Color] = [
	Color(0.8, 0.25, 0.3), Color(0.16, 0.3, 0.62), Color(0.2, 0.55, 0.5), Color(0.85, 0.55, 0.15)
]
const ROOFS: Array[Color] = [
	Color(0.784, 0.404, 0.294), Color(0.49, 0.529, 0.588), Color(0.851, 0.663, 0.357),
	Color(0.612, 0.353, 0.275)
]
const FLIGHT := 0.9 # screens per second

var map: RID
var agents: Array[RID] = []
var blocks: Array[Rect2] = []
var random := RandomNumberGenerator.new()
var build_seconds := 0.0
var arrivals := 0
var least := INF
var next_check := 0
var is_touring := true
var tour := 0.0

@onready var region: CorridorRegion2D = $Region
@onready var camera: Camera2D = $Camera
@onready var board: Label = %Board
@onready var crowd: Array[MultiMeshInstance2D] = [
	$Crowd0 as MultiMeshInstance2D, $Crowd1 as MultiMeshInstance2D, $Crowd2 as MultiMeshInstance2D,
	$Crowd3 as MultiMeshInstance2D
]


# Before the region enters the tree and looks what is below it.
func _enter_tree() -> void:
	if blocks.is_empty():
		random.seed = 8
		for i in SIDE * SIDE:
			add_block(Vector2(i % SIDE, floori(i / float(SIDE))))
		$Region.add_child(make_obstacles())


func _ready() -> void:
	if Engine.is_editor_hint():
		set_process(false)
		set_physics_process(false)
		return
	map = region.get_navigation_map()
	var begin := Time.get_ticks_usec()
	NavCorridorServer.map_force_update(map)
	build_seconds = (Time.get_ticks_usec() - begin) * 1e-6
	show_blocks()
	for i in AGENTS:
		add_agent(i)
	show_agents()
	$Path.connect("draw", draw_path)


func _exit_tree() -> void:
	for agent in agents:
		NavCorridorServer.free_rid(agent)
	agents.clear()


# Blocks of different sizes, so that some streets are wide and others are lanes.
func add_block(cell: Vector2) -> void:
	var size := Vector2(random.randf_range(58, 100), random.randf_range(58, 100))
	var corner := Vector2(40, 40) + cell * CELL + (Vector2(84, 84) - size) * Vector2(
		random.randf(), random.randf()
	)
	blocks.append(Rect2(corner, size))


# One node with all blocks. It has no owner, so that it is not saved with the scene; the game draws
# them in another way.
func make_obstacles() -> Polygon2D:
	var node := Polygon2D.new()
	var points := PackedVector2Array()
	var parts := []
	for block in blocks:
		var first := points.size()
		parts.append(PackedInt32Array([first, first + 1, first + 2, first + 3]))
		points.append_array([
			block.position, Vector2(block.end.x, block.position.y), block.end,
			Vector2(block.position.x, block.end.y)
		])
	node.polygon = points
	node.polygons = parts
	node.color = ROOFS[1]
	node.visible = Engine.is_editor_hint()
	return node


# All shadows are one mesh, and so are the roofs and their darker halves.
func show_blocks() -> void:
	var roofs: MultiMesh = ($Roofs as MultiMeshInstance2D).multimesh
	var shades: MultiMesh = ($Shades as MultiMeshInstance2D).multimesh
	var shadows: MultiMesh = ($Shadows as MultiMeshInstance2D).multimesh
	for mesh: MultiMesh in [roofs, shades, shadows]:
		mesh.instance_count = blocks.size()
	for i in blocks.size():
		var rect := blocks[i]
		var color := ROOFS[random.randi() % ROOFS.size()].lerp(Color.WHITE, random.randf() * 0.12)
		set_box(roofs, i, rect, color)
		var half := rect
		if rect.size.x > rect.size.y:
			half = Rect2(rect.position + Vector2(0, rect.size.y / 2.0), rect.size * Vector2(1, 0.5))
		else:
			half = Rect2(rect.position + Vector2(rect.size.x / 2.0, 0), rect.size * Vector2(0.5, 1))
		set_box(shades, i, half, color.darkened(0.17))
		set_box(shadows, i, Rect2(rect.position + Vector2(7, 9), rect.size), Color(0.1, 0.12, 0.2, 0.22))


func set_box(mesh: MultiMesh, i: int, rect: Rect2, color: Color) -> void:
	mesh.set_instance_transform_2d(i, Transform2D(0.0, rect.size, 0.0, rect.get_center()))
	mesh.set_instance_color(i, color)


func add_agent(i: int) -> void:
	var agent := NavCorridorServer.agent_create()
	var radius := RADII[i % RADII.size()]
	NavCorridorServer.agent_set_map(agent, map)
	NavCorridorServer.agent_set_radius(agent, radius)
	NavCorridorServer.agent_set_max_speed(agent, random.randf_range(60, 130))
	NavCorridorServer.agent_set_position(agent, pick_start(i, radius + 1.0))
	agents.append(agent)
	send(agent, radius)


# Most of them live in the centre.
func pick_start(i: int, radius: float) -> Vector2:
	if i % 4 == 0:
		return NavCorridorServer.map_get_random_point(map, radius)
	var point := Vector2.from_angle(random.randf() * TAU) * random.randf_range(0, 2200)
	return NavCorridorServer.map_get_closest_point(map, region.bounds.get_center() + point, radius)


# Somewhere in the neighbourhood; now and then across the city.
func send(agent: RID, radius: float) -> void:
	var from := NavCorridorServer.agent_get_position(agent)
	var far := 9000.0 if random.randi() % 40 == 0 else 700.0
	var target := from + Vector2(random.randf_range(-far, far), random.randf_range(-far, far))
	target = target.clamp(Vector2(30, 30), region.bounds.end - Vector2(30, 30))
	NavCorridorServer.agent_set_target(agent, NavCorridorServer.map_get_closest_point(map, target, radius))


func _physics_process(_delta: float) -> void:
	# A tenth of them in each frame is soon enough.
	for i in range(next_check, agents.size(), 10):
		var radius := RADII[i % RADII.size()]
		var position := NavCorridorServer.agent_get_position(agents[i])
		least = minf(least, NavCorridorServer.map_get_clearance(map, position) - radius)
		if NavCorridorServer.agent_is_finished(agents[i]):
			arrivals += 1
			send(agents[i], radius)
	next_check = (next_check + 1) % 10


func _process(delta: float) -> void:
	fly(delta)
	show_agents()
	$Path.call("queue_redraw")
	board.text = "%d blocks: map made in %.2f s\n%d agents: %.2f ms in a frame\n%d have arrived" % [
		blocks.size(), build_seconds, agents.size(),
		NavCorridorServer.get_process_info(NavCorridorServer.INFO_AGENT_USEC) / 1000.0, arrivals
	]


func show_agents() -> void:
	for k in crowd.size():
		var mesh := crowd[k].multimesh
		if mesh.instance_count == 0:
			mesh.instance_count = ceili(AGENTS / float(RADII.size()))
		for i in mesh.instance_count:
			var position := NavCorridorServer.agent_get_position(agents[i * RADII.size() + k])
			# From high above they are drawn larger than they are.
			var size := Vector2.ONE * maxf(RADII[k] * 2.0, 4.0 / camera.zoom.x)
			mesh.set_instance_transform_2d(i, Transform2D(0.0, size, 0.0, position))
		crowd[k].modulate = COLORS[k]


# ---- The camera


func fly(delta: float) -> void:
	var wanted := Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
	if wanted != Vector2.ZERO:
		is_touring = false
	camera.position += wanted * FLIGHT * delta * 1280.0 / camera.zoom.x
	if is_touring:
		# From above a street to above the city and back.
		tour += delta
		var height := 0.5 - 0.5 * cos(tour * 0.5)
		camera.zoom = Vector2.ONE * lerpf(1.6, 0.11, height * height)
		camera.position = region.bounds.get_center() + Vector2.from_angle(tour * 0.1) * 900.0


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	var motion := event as InputEventMouseMotion
	if click != null and click.pressed:
		is_touring = false
		if click.button_index == MOUSE_BUTTON_WHEEL_UP:
			zoom_by(1.15)
		elif click.button_index == MOUSE_BUTTON_WHEEL_DOWN:
			zoom_by(1.0 / 1.15)
	elif motion != null and motion.button_mask & MOUSE_BUTTON_MASK_LEFT:
		camera.position -= motion.relative / camera.zoom.x
	elif event.is_action_pressed("ui_select"):
		is_touring = not is_touring
	elif event is InputEventKey and (event as InputEventKey).pressed:
		match (event as InputEventKey).keycode:
			KEY_PLUS, KEY_EQUAL, KEY_KP_ADD:
				zoom_by(1.15)
			KEY_MINUS, KEY_KP_SUBTRACT:
				zoom_by(1.0 / 1.15)


func zoom_by(factor: float) -> void:
	camera.zoom = (camera.zoom * factor).clamp(Vector2(0.05, 0.05), Vector2(4, 4))


# The paths of the agents around the middle of the view, when it is close enough to see them.
func draw_path() -> void:
	if camera.zoom.x < 0.35:
		return
	var view := Rect2(camera.position - Vector2(640, 360) / camera.zoom, Vector2(1280, 720) / camera.zoom)
	for i in agents.size():
		if not view.has_point(NavCorridorServer.agent_get_position(agents[i])):
			continue
		var path := NavCorridorServer.agent_get_path(agents[i])
		if path.size() >= 2:
			var color := COLORS[i % RADII.size()]
			color.a = 0.55
			($Path as Node2D).draw_polyline(path, color, 2.0, true)


# What the self-test prints.
func get_summary() -> String:
	return "%d agents, %d arrivals, least gap %f" % [agents.size(), arrivals, least]


func find_fault() -> String:
	if least < -0.001:
		return "an agent came %f into its clearance" % -least
	if arrivals < 500:
		return "only %d agents arrived" % arrivals
	return ""
