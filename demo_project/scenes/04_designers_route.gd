# SPDX-License-Identifier: MIT
# A designer's route: a Path2D that the guard follows as closely as the walls allow.
extends Node2D

const SELF_TEST_SECONDS := 26.0

var is_forward := true

@onready var guard: Walker = $Guard
@onready var thief: Walker = $Thief
@onready var route: Path2D = $Route


func _ready() -> void:
	($RouteLine as Line2D).points = route.curve.get_baked_points()
	guard.agent.navigation_finished.connect(patrol)
	patrol()


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click != null and click.pressed and click.button_index == MOUSE_BUTTON_RIGHT:
		thief.walk_to(get_global_mouse_position())


# To the route's end along it, and back again.
func patrol() -> void:
	var points := route.curve.get_baked_points()
	guard.agent.set_deferred("target_position", points[-1] if is_forward else points[0])
	is_forward = not is_forward
