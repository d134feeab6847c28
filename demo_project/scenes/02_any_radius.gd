# SPDX-License-Identifier: MIT
# Any radius: four agents of different sizes and one map. Each finds the shortest way wide enough.
extends Node2D

const SELF_TEST_SECONDS := 26.0

@onready var walkers: Array[Node] = [$Mouse, $Person, $Cart, $Truck]


func _unhandled_input(event: InputEvent) -> void:
	var place: Vector2 = Stage.read_order(event, self, ($Truck as Walker).agent.radius)
	if place != Vector2.INF:
		for walker: Walker in walkers:
			walker.walk_to(place)


# The wider the agent, the wider the gap it must find, and the longer its way.
func find_fault() -> String:
	var map: RID = ($Region as CorridorRegion2D).get_navigation_map()
	var lengths: Array[float] = []
	for walker: Walker in walkers:
		var path := NavCorridorServer.map_get_path(
			map, Vector2(270, 108), Vector2(1000, 108), walker.agent.radius
		)
		if path.is_empty():
			return "there is no way for the %s" % walker.name
		var length := 0.0
		for i in range(1, path.size()):
			length += path[i - 1].distance_to(path[i])
		if not lengths.is_empty() and length <= lengths[-1]:
			return "the way of the %s is not longer than that of the smaller ones" % walker.name
		lengths.append(length)
	return ""
