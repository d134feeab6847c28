# SPDX-License-Identifier: MIT
# Methods side by side: four agents that differ in nothing but the method that steers them. The
# scene is measured in meters, because the forces of CMM are made for people of that size.
extends Node2D

const SELF_TEST_SECONDS := 40.0

var lengths: PackedFloat64Array = [0.0, 0.0, 0.0, 0.0]
var times: PackedFloat64Array = [0.0, 0.0, 0.0, 0.0]
var turns: PackedFloat64Array = [0.0, 0.0, 0.0, 0.0]
var last_places: PackedVector2Array = [Vector2.ZERO, Vector2.ZERO, Vector2.ZERO, Vector2.ZERO]
var last_steps: PackedVector2Array = [Vector2.ZERO, Vector2.ZERO, Vector2.ZERO, Vector2.ZERO]
var cells: Array[Label] = []

@onready var walkers: Array[Node] = [$CMM, $Improved, $IRM, $MIRAN]
@onready var table: Control = %Table


func _ready() -> void:
	for i in 4:
		last_places[i] = (walkers[i] as Walker).position
	for text: String in ["", "length", "time", "turned"]:
		add_cell(text).modulate = Color(0.72, 0.8, 0.88)
	for walker: Walker in walkers:
		add_cell("\u25cf " + walker.name).modulate = walker.color.lightened(0.45)
		for i in 3:
			cells.append(add_cell(""))


func _unhandled_input(event: InputEvent) -> void:
	var place: Vector2 = Stage.read_order(event, self, (walkers[0] as Walker).agent.radius)
	if place != Vector2.INF:
		for i in 4:
			(walkers[i] as Walker).walk_to(place)
			(walkers[i] as Walker).track.clear_points()
			lengths[i] = 0.0
			times[i] = 0.0
			turns[i] = 0.0


func _physics_process(delta: float) -> void:
	for i in 4:
		measure(i, (walkers[i] as Walker).position, delta)
		cells[3 * i].text = "%.1f m" % lengths[i]
		cells[3 * i + 1].text = "%.1f s" % times[i]
		cells[3 * i + 2].text = "%d\u00b0" % roundi(rad_to_deg(turns[i]))


func measure(i: int, place: Vector2, delta: float) -> void:
	var step := place - last_places[i]
	last_places[i] = place
	if step.length() < 0.002:
		return
	lengths[i] += step.length()
	times[i] += delta
	if last_steps[i] != Vector2.ZERO:
		turns[i] += absf(last_steps[i].angle_to(step))
	last_steps[i] = step


func add_cell(text: String) -> Label:
	var label := Label.new()
	var index := table.get_child_count()
	label.text = text
	label.position = Vector2([0, 108, 179, 244][index % 4], 21 * floori(index / 4.0))
	table.add_child(label)
	return label


func find_fault() -> String:
	for i in walkers.size():
		var walker: Walker = walkers[i]
		if walker.agent.method != i:
			return "%s walks by method %d" % [walker.name, walker.agent.method]
		if lengths[i] < 30.0:
			return "%s has walked %.1f m only" % [walker.name, lengths[i]]
	return ""
