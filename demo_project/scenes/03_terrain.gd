# SPDX-License-Identifier: MIT
# Terrain: the same forest for three profiles. What the ground is worth belongs to each agent.
extends Node2D

const SELF_TEST_SECONDS := 34.0

var grounds: Dictionary[Node, PackedInt32Array] = {}

@onready var walkers: Array[Node] = [$Adult, $Child, $Van]
@onready var map: RID = ($Region as CorridorRegion2D).get_navigation_map()
@onready var mud: CorridorTerrain2D = $Areas/Mud0


func _ready() -> void:
	for walker: Walker in walkers:
		var counts := PackedInt32Array()
		counts.resize(64)
		grounds[walker] = counts


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	var place: Vector2 = Stage.read_order(event, self, ($Adult as Walker).agent.radius)
	if place != Vector2.INF:
		($Adult as Walker).walk_to(place)
		($Child as Walker).walk_to(place)
	elif click != null and click.pressed and click.button_index == MOUSE_BUTTON_RIGHT:
		mud.position = get_global_mouse_position()


# On what each of them walks, for the self-test.
func _physics_process(_delta: float) -> void:
	for walker: Walker in walkers:
		grounds[walker][NavCorridorServer.map_get_terrain_type(map, walker.position)] += 1


func find_fault() -> String:
	# Steering cuts the corners of a path a little, also those beside the zebra.
	if grounds[$Adult][4] > 60:
		return "the adult walked through mud for %d steps" % grounds[$Adult][4]
	if grounds[$Child][1] > 10:
		return "the child was on the road for %d steps" % grounds[$Child][1]
	if grounds[$Child][4] == 0:
		return "the child did not visit the mud"
	if grounds[$Van][1] + grounds[$Van][3] < grounds[$Van][0] + grounds[$Van][2] + grounds[$Van][4]:
		return "the van left the road"
	return ""
