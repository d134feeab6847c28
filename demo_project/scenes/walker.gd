# SPDX-License-Identifier: MIT
# Somebody who walks: the CorridorAgent below moves this node, which only draws itself.
extends Node2D

const BODY := Color(0.16, 0.3, 0.62)
const SKIN := Color(0.98, 0.83, 0.66)

var heading := Vector2.RIGHT

@onready var agent: CorridorAgent = $Agent


func _ready() -> void:
	agent.velocity_computed.connect(turn)


func turn(velocity: Vector2) -> void:
	if velocity.length() > 1.0:
		heading = heading.lerp(velocity.normalized(), 0.25).normalized()
		queue_redraw()


func _draw() -> void:
	var side := heading.orthogonal()
	draw_circle(Vector2(2, 3), agent.radius, Color(0, 0, 0, 0.2), true, -1.0, true)
	draw_circle(side * 5.0, 5.0, BODY.darkened(0.2), true, -1.0, true)
	draw_circle(side * -5.0, 5.0, BODY.darkened(0.2), true, -1.0, true)
	draw_circle(Vector2.ZERO, 7.0, BODY, true, -1.0, true)
	draw_circle(heading * 2.0, 4.5, SKIN, true, -1.0, true)
