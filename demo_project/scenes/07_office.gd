# SPDX-License-Identifier: MIT
# An office in 3D: one storey, made of static bodies, meshes and CSG nodes, and one map for people, a
# trolley and a cleaning robot. A sliding door opens and closes.
extends Node3D

const SELF_TEST_SECONDS := 45.0
const OPEN := Vector3(0, 0, -1.3)
const TURN_SPEED := 1.2 # radians per second
const CENTER := Vector3(0.2, 0, 1.5)

var angle := 0.3
var height := 1.0
var distance := 20.5
var is_open := true
var time := 0.0
var door_moves := 0

@onready var camera: Camera3D = $Camera
@onready var door: CorridorObstacle3D = $Door
@onready var closed: Vector3 = ($Door as Node3D).position
@onready var people: Array[Node] = [$Anna, $Ben, $Cleo]
@onready var everybody: Array[Node] = [$Anna, $Ben, $Cleo, $Trolley, $Robot]


func _ready() -> void:
	door.position = closed + OPEN
	place_camera()


func _process(delta: float) -> void:
	var turn := Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
	if turn != Vector2.ZERO:
		angle += turn.x * TURN_SPEED * delta
		height = clampf(height - turn.y * TURN_SPEED * delta, 0.3, 1.5)
		place_camera()


func _physics_process(delta: float) -> void:
	time += delta
	if time > 7.0:
		time = 0.0
		is_open = not is_open
	var wanted := closed + (OPEN if is_open else Vector3.ZERO)
	var next := door.position.move_toward(wanted, delta)
	# A door waits for those who stand in it.
	if next != door.position and (is_open or not is_occupied(next)):
		door.position = next
		door_moves += 1


func is_occupied(place: Vector3) -> bool:
	for walker: Node3D in everybody:
		var away := (walker.position - place).abs()
		if away.x < 0.9 and away.z < 1.4:
			return true
	return false


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	var motion := event as InputEventMouseMotion
	if click != null and click.pressed:
		match click.button_index:
			MOUSE_BUTTON_LEFT:
				send_people(click.position)
			MOUSE_BUTTON_WHEEL_UP:
				distance = maxf(distance * 0.92, 5.0)
			MOUSE_BUTTON_WHEEL_DOWN:
				distance = minf(distance * 1.08, 32.0)
		place_camera()
	elif motion != null and motion.button_mask & MOUSE_BUTTON_MASK_RIGHT:
		angle -= motion.relative.x * 0.006
		height = clampf(height + motion.relative.y * 0.006, 0.3, 1.5)
		place_camera()
	elif event.is_action_pressed("ui_select"):
		is_open = not is_open
		time = 0.0


func send_people(at: Vector2) -> void:
	var ray := camera.project_ray_normal(at)
	var hit: Variant = Plane(Vector3.UP, 0.0).intersects_ray(camera.project_ray_origin(at), ray)
	if hit != null:
		for person: Person3D in people:
			person.walk_to(hit)


func place_camera() -> void:
	var direction := Vector3(sin(angle) * cos(height), sin(height), cos(angle) * cos(height))
	camera.look_at_from_position(CENTER + direction * distance, CENTER)


func find_fault() -> String:
	if door_moves == 0:
		return "the door has not moved"
	var map: RID = ($Region as CorridorRegion3D).get_navigation_map()
	var desk := Vector2(-9.3, -4.2)
	if NavCorridorServer.map_get_clearance(map, desk) > 0.0:
		return "a desk is no obstacle"
	for walker: Node3D in everybody:
		if absf(walker.position.y) > 0.001:
			return "%s left the floor" % walker.name
	return ""
