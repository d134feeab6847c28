# SPDX-License-Identifier: MIT
# Doors and crates: obstacles that belong to the server and move while agents walk.
extends Node2D

const SELF_TEST_SECONDS := 30.0
const CRATE := Vector2(44, 44)
const WOOD := Color(0.66, 0.47, 0.28)
const DOOR := Color(0.36, 0.26, 0.2)
const MOST_CRATES := 12

# Each door fills its gap when it is closed, and slides along its wall when it opens.
const DOORS: Array[Rect2] = [
	Rect2(405, 126, 20, 80), Rect2(855, 346, 20, 80), Rect2(590, 324, 80, 18)
]
const OPEN: Array[Vector2] = [Vector2(0, -78), Vector2(0, -78), Vector2(-78, 0)]
const CRATES: Array[Vector2] = [Vector2(300, 300), Vector2(980, 330), Vector2(560, 440)]

var map: RID
var doors: Array[RID] = []
var crates: Array[RID] = []
var time := 0.0
var are_open := true
var opening := PackedFloat64Array([1.0, 1.0, 1.0])

@onready var things: Node2D = $Things


func _ready() -> void:
	map = ($Region as CorridorRegion2D).get_navigation_map()
	for rect in DOORS:
		doors.append(add_box(rect.position, rect.size))
	for center in CRATES:
		crates.append(add_box(center - CRATE / 2.0, CRATE))
	move_doors(0.0)
	things.draw.connect(draw_things)


func _exit_tree() -> void:
	for obstacle: RID in doors + crates:
		NavCorridorServer.free_rid(obstacle)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click != null and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		put_crate(get_global_mouse_position())
	elif event.is_action_pressed("ui_select"):
		are_open = not are_open
		time = 0.0


func _physics_process(delta: float) -> void:
	time += delta
	if time > 5.0:
		time = 0.0
		are_open = not are_open
	move_doors(delta)
	things.queue_redraw()


# A crate never falls on somebody.
func put_crate(center: Vector2) -> void:
	for walker: Walker in [$Anna, $Ben, $Cleo]:
		if center.distance_to(walker.position) < CRATE.length() / 2.0 + walker.agent.radius + 4.0:
			return
	if crates.size() >= MOST_CRATES:
		NavCorridorServer.free_rid(crates.pop_front())
	crates.append(add_box(center - CRATE / 2.0, CRATE))


# A door waits for those who stand in it.
func move_doors(delta: float) -> void:
	for i in doors.size():
		var wanted := move_toward(opening[i], 1.0 if are_open else 0.0, delta)
		var rect := DOORS[i]
		rect.position += OPEN[i] * wanted
		if wanted >= opening[i] or not is_occupied(rect):
			opening[i] = wanted
			NavCorridorServer.obstacle_set_position(doors[i], rect.position)


func is_occupied(rect: Rect2) -> bool:
	for walker: Walker in [$Anna, $Ben, $Cleo]:
		if rect.grow(walker.agent.radius + 4.0).has_point(walker.position):
			return true
	return false


func add_box(corner: Vector2, size: Vector2) -> RID:
	var obstacle := NavCorridorServer.obstacle_create()
	NavCorridorServer.obstacle_set_vertices(
		obstacle, PackedVector2Array([Vector2.ZERO, Vector2(size.x, 0), size, Vector2(0, size.y)])
	)
	NavCorridorServer.obstacle_set_position(obstacle, corner)
	NavCorridorServer.obstacle_set_map(obstacle, map)
	return obstacle


func draw_things() -> void:
	for i in doors.size():
		draw_box(Rect2(NavCorridorServer.obstacle_get_position(doors[i]), DOORS[i].size), DOOR)
	for crate in crates:
		draw_box(Rect2(NavCorridorServer.obstacle_get_position(crate), CRATE), WOOD)


func draw_box(rect: Rect2, color: Color) -> void:
	things.draw_rect(Rect2(rect.position + Vector2(4, 5), rect.size), Color(0.1, 0.12, 0.2, 0.22))
	things.draw_rect(rect, color)
	things.draw_rect(rect, color.darkened(0.4), false, 2.0)
	if rect.size == CRATE:
		things.draw_line(rect.position, rect.end, color.darkened(0.25), 3.0, true)


func find_fault() -> String:
	for i in doors.size():
		if NavCorridorServer.obstacle_get_position(doors[i]) == DOORS[i].position + OPEN[i]:
			continue
		return ""
	return "no door has moved" if time > 4.0 else ""
