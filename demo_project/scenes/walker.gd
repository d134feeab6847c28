# SPDX-License-Identifier: MIT
# Somebody who walks or drives: the CorridorAgent below moves this node, which only draws itself, as
# large as the agent's radius.
class_name Walker
extends Node2D

enum Kind { PERSON, MOUSE, CART, TRUCK }

const SKIN := Color(0.98, 0.83, 0.66)
const SHADOW := Color(0.1, 0.12, 0.2, 0.22)
const GLASS := Color(0.75, 0.88, 0.95)

@export var kind := Kind.PERSON
@export var color := Color(0.16, 0.3, 0.62)
## Where it goes, one place after the other; with none it waits for orders.
@export var places: PackedVector2Array
@export var track: Line2D
@export var track_length := 150
## How large a pixel is in the units of the scene.
@export var unit := 1.0

var heading := Vector2.RIGHT
var next_place := 0

@onready var agent: CorridorAgent = $Agent


func _ready() -> void:
	agent.velocity_computed.connect(turn)
	agent.navigation_finished.connect(walk_on)
	if not places.is_empty():
		agent.target_position = places[0]


# Its own targets end when somebody else gives one.
func walk_to(target: Vector2) -> void:
	places = PackedVector2Array()
	agent.target_position = target


func walk_on() -> void:
	if not places.is_empty():
		next_place = (next_place + 1) % places.size()
		agent.set_deferred("target_position", places[next_place])


func turn(velocity: Vector2) -> void:
	if velocity.length() > unit:
		heading = heading.lerp(velocity.normalized(), 0.25).normalized()
		queue_redraw()
	if track != null and (
		track.points.is_empty() or track.points[-1].distance_to(global_position) > 4.0 * unit
	):
		track.add_point(global_position)
		if track.points.size() > track_length:
			track.remove_point(0)


func _draw() -> void:
	var r := agent.radius / unit
	draw_set_transform(Vector2.ZERO, 0.0, Vector2(unit, unit))
	draw_circle(Vector2(0.17, 0.25) * r, r, SHADOW, true, -1.0, true)
	draw_set_transform(Vector2.ZERO, heading.angle(), Vector2(unit, unit))
	match kind:
		Kind.PERSON:
			draw_person(r)
		Kind.MOUSE:
			draw_mouse(r)
		Kind.CART:
			draw_cart(r)
		Kind.TRUCK:
			draw_truck(r)


func draw_person(r: float) -> void:
	draw_circle(Vector2(0, 0.55) * r, 0.42 * r, color.darkened(0.2), true, -1.0, true)
	draw_circle(Vector2(0, -0.55) * r, 0.42 * r, color.darkened(0.2), true, -1.0, true)
	draw_circle(Vector2.ZERO, 0.62 * r, color, true, -1.0, true)
	draw_circle(Vector2(0.18, 0) * r, 0.4 * r, SKIN, true, -1.0, true)


func draw_mouse(r: float) -> void:
	draw_line(Vector2(-0.6, 0) * r, Vector2(-1.5, 0.3) * r, SKIN.darkened(0.1), 1.5, true)
	draw_circle(Vector2(-0.2, 0) * r, 0.75 * r, color, true, -1.0, true)
	draw_circle(Vector2(0.45, 0) * r, 0.5 * r, color.lightened(0.12), true, -1.0, true)
	for side: float in [-1.0, 1.0]:
		draw_circle(Vector2(0.25, 0.5 * side) * r, 0.28 * r, SKIN.darkened(0.05), true, -1.0, true)


func draw_cart(r: float) -> void:
	for wheel: Vector2 in [Vector2(-0.45, -0.72), Vector2(-0.45, 0.72), Vector2(0.45, -0.72), Vector2(0.45, 0.72)]:
		draw_box(wheel * r, Vector2(0.4, 0.16) * r, Color(0.2, 0.18, 0.17))
	draw_box(Vector2.ZERO, Vector2(1.5, 1.15) * r, color)
	draw_box(Vector2.ZERO, Vector2(1.25, 0.9) * r, color.lightened(0.25))
	for i in 3:
		draw_circle(Vector2(-0.35 + 0.35 * i, 0) * r, 0.2 * r, Color(0.85, 0.7, 0.4), true, -1.0, true)


func draw_truck(r: float) -> void:
	for wheel: Vector2 in [Vector2(-0.5, -0.62), Vector2(-0.5, 0.62), Vector2(0.5, -0.62), Vector2(0.5, 0.62)]:
		draw_box(wheel * r, Vector2(0.36, 0.14) * r, Color(0.2, 0.18, 0.17))
	draw_box(Vector2(-0.22, 0) * r, Vector2(1.2, 1.1) * r, Color(0.93, 0.92, 0.88))
	draw_box(Vector2(-0.22, 0) * r, Vector2(1.0, 0.9) * r, Color(0.84, 0.83, 0.78))
	draw_box(Vector2(0.62, 0) * r, Vector2(0.42, 1.0) * r, color)
	draw_box(Vector2(0.72, 0) * r, Vector2(0.14, 0.8) * r, GLASS)


func draw_box(center: Vector2, size: Vector2, fill: Color) -> void:
	draw_rect(Rect2(center - size / 2.0, size), fill)
