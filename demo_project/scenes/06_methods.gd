# SPDX-License-Identifier: MIT
# Methods side by side: four agents that differ in nothing but the method that steers them.
extends Node2D

const SELF_TEST_SECONDS := 34.0

@onready var walkers: Array[Node] = [$CMM, $Improved, $IRM, $MIRAN]


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click != null and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		for walker: Walker in walkers:
			walker.walk_to(get_global_mouse_position())


func find_fault() -> String:
	for i in walkers.size():
		var walker: Walker = walkers[i]
		if walker.agent.method != i:
			return "%s walks by method %d" % [walker.name, walker.agent.method]
	return ""
