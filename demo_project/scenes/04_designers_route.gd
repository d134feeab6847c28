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
	var place: Vector2 = Stage.read_order(event, self, thief.agent.radius)
	if place != Vector2.INF:
		thief.walk_to(place)


# To the route's end along it, and back again.
func patrol() -> void:
	var points := route.curve.get_baked_points()
	guard.agent.set_deferred("target_position", points[-1] if is_forward else points[0])
	is_forward = not is_forward
