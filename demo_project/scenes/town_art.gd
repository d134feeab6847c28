# SPDX-License-Identifier: MIT
# Draws what makes the town a town: shadows below the buildings, or roofs above them.
# The buildings themselves are the Polygon2D nodes below the region, which are also its obstacles.
@tool
extends Node2D

enum Layer { SHADOWS, ROOFS }

const SHADOW := Color(0.1, 0.12, 0.2, 0.22)
const SHADOW_OFFSET := Vector2(7, 9)

@export var layer := Layer.SHADOWS
@export var buildings: Node2D
## How large a pixel is in the units of the scene: shadows and lines are that much smaller.
@export var unit := 1.0


func _draw() -> void:
	if buildings == null:
		return
	draw_set_transform(Vector2.ZERO, 0.0, Vector2(unit, unit))
	for building: Node in buildings.get_children():
		if not building is Polygon2D:
			continue
		var in_pixels := Transform2D().scaled(Vector2.ONE / unit)
		var outline: PackedVector2Array = in_pixels * building.transform * building.polygon
		if layer == Layer.SHADOWS:
			draw_shadow(outline)
		else:
			draw_roof(outline, building.color)


func draw_shadow(outline: PackedVector2Array) -> void:
	# The shadow of each side fills the gap between the wall and the moved outline.
	var moved := Transform2D(0.0, SHADOW_OFFSET) * outline
	var parts: Array[PackedVector2Array] = [moved]
	for i in outline.size():
		var k := (i + 1) % outline.size()
		var side := PackedVector2Array([outline[i], outline[k], moved[k], moved[i]])
		if absf((outline[k] - outline[i]).cross(SHADOW_OFFSET)) > 1.0:
			parts = merge(parts, side)
	for part in parts:
		draw_colored_polygon(part, SHADOW)


func merge(parts: Array[PackedVector2Array], side: PackedVector2Array) -> Array[PackedVector2Array]:
	if Geometry2D.is_polygon_clockwise(side):
		side.reverse()
	return Geometry2D.merge_polygons(parts[0], side).slice(0, 1)


func draw_roof(outline: PackedVector2Array, color: Color) -> void:
	if outline.size() == 4:
		draw_gable(outline, color)
	else:
		for inner in Geometry2D.offset_polygon(outline, -11.0, Geometry2D.JOIN_MITER):
			draw_colored_polygon(inner, color.lightened(0.13))
	var border := outline.duplicate()
	border.append(outline[0])
	draw_polyline(border, color.darkened(0.35), 2.0, true)


# Two slopes that meet in a ridge along the longer direction; the far one lies in the shade.
func draw_gable(outline: PackedVector2Array, color: Color) -> void:
	var first := 0 if outline[0].distance_to(outline[1]) > outline[1].distance_to(outline[2]) else 1
	var a := outline[first]
	var b := outline[first + 1]
	var c := outline[(first + 2) % 4]
	var d := outline[(first + 3) % 4]
	var ridge_start := (a + d) / 2.0
	var ridge_end := (b + c) / 2.0
	draw_colored_polygon(PackedVector2Array([ridge_start, ridge_end, c, d]), color.darkened(0.16))
	draw_colored_polygon(PackedVector2Array([a, b, ridge_end, ridge_start]), color.lightened(0.1))
	draw_line(ridge_start, ridge_end, color.lightened(0.3), 2.0, true)
