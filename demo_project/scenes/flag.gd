# SPDX-License-Identifier: MIT
# Marks the target.
extends Node2D


func _draw() -> void:
	draw_circle(Vector2.ZERO, 5.0, Color(0.85, 0.2, 0.25, 0.35), true, -1.0, true)
	draw_line(Vector2.ZERO, Vector2(0, -26), Color(0.25, 0.2, 0.2), 2.0, true)
	draw_colored_polygon(
		PackedVector2Array([Vector2(0, -26), Vector2(18, -20), Vector2(0, -14)]), Color(
			0.85, 0.2, 0.25
		)
	)
