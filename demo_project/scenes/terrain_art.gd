# SPDX-License-Identifier: MIT
# Paints the ground: each CorridorTerrain2D in the look of its type.
@tool
extends Node2D

enum Type { GRASS, ROAD, SIDEWALK, CROSSING, MUD }

const COLORS: Array[Color] = [
	Color(0.8, 0.85, 0.68), Color(0.42, 0.44, 0.48), Color(0.84, 0.81, 0.75), Color(0.42, 0.44, 0.48),
	Color(0.56, 0.44, 0.32)
]

@export var areas: Node2D
## What lies outside of it is not painted.
@export var frame := Rect2(0, 0, 1280, 720)


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	if areas == null:
		return
	var sorted := areas.get_children()
	sorted.sort_custom(func(a: Node, b: Node) -> bool: return a.get("priority") < b.get("priority"))
	for area: CorridorTerrain2D in sorted:
		var outline := area.transform * area.vertices
		draw_area(outline, area.type)
		if area.type == Type.CROSSING:
			draw_stripes(outline)
		elif area.type == Type.ROAD:
			draw_center_line(outline)


func draw_area(outline: PackedVector2Array, type: int) -> void:
	for part in Geometry2D.intersect_polygons(outline, get_frame_outline()):
		draw_colored_polygon(part, COLORS[type])
		if type == Type.MUD:
			for inner in Geometry2D.offset_polygon(part, -12.0, Geometry2D.JOIN_ROUND):
				draw_colored_polygon(inner, COLORS[type].darkened(0.12))


# The outline runs along one curb and back along the other.
func draw_center_line(outline: PackedVector2Array) -> void:
	var count := outline.size()
	for i in range(0, count / 2 - 1, 2):
		var a := (outline[i] + outline[count - 1 - i]) / 2.0
		var b := (outline[i + 1] + outline[count - 2 - i]) / 2.0
		if frame.has_point(a) and frame.has_point(b):
			draw_line(a, b, Color(0.95, 0.94, 0.88, 0.8), 2.0, true)


func draw_stripes(outline: PackedVector2Array) -> void:
	var half := outline.size() / 2
	var a := outline[0]
	var b := outline[half - 1]
	var c := outline[half]
	var d := outline[2 * half - 1]
	for i in 6:
		var from := (i + 0.2) / 6.0
		var to := (i + 0.75) / 6.0
		draw_colored_polygon(
			PackedVector2Array([a.lerp(d, from), b.lerp(c, from), b.lerp(c, to), a.lerp(d, to)]),
			Color(0.96, 0.95, 0.9)
		)


func get_frame_outline() -> PackedVector2Array:
	return PackedVector2Array(
		[
			frame.position, Vector2(frame.end.x, frame.position.y), frame.end,
			Vector2(frame.position.x, frame.end.y)
		]
	)
