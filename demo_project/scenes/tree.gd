# SPDX-License-Identifier: MIT
# A tree: a static body whose circle is the trunk's room, drawn as a crown with a highlight.
@tool
extends StaticBody2D


func _draw() -> void:
	var shape: CircleShape2D = $Shape.shape
	var r := shape.radius
	draw_circle(Vector2(4, 6), r, Color(0.1, 0.12, 0.2, 0.22), true, -1.0, true)
	draw_circle(Vector2.ZERO, r, Color(0.28, 0.47, 0.29), true, -1.0, true)
	draw_circle(Vector2(-0.18, -0.2) * r, 0.7 * r, Color(0.36, 0.57, 0.35), true, -1.0, true)
	draw_circle(Vector2(-0.3, -0.34) * r, 0.36 * r, Color(0.47, 0.68, 0.43), true, -1.0, true)
