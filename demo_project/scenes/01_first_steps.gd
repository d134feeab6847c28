# SPDX-License-Identifier: MIT
# First steps: one region, one agent. The agent tours the town; a click or the space bar gives it a new target.
extends Node2D

const REST := 1.0 # seconds at each place of the tour

var next_place := 0
var rest_left := 0.0

@onready var agent: CorridorAgent = $Walker/Agent
@onready var track: Line2D = $Track
@onready var flag: Node2D = $Flag
@onready var places: Array[Node] = $Places.get_children()


func _ready() -> void:
	# The map answers already: there is no need to wait for a frame.
	agent.navigation_finished.connect(func() -> void: rest_left = REST)
	walk_to(places[0].position)


func _unhandled_input(event: InputEvent) -> void:
	var place: Vector2 = Stage.read_order(event, self, agent.radius)
	if place != Vector2.INF:
		walk_to(place)


func _physics_process(delta: float) -> void:
	if agent.is_navigation_finished():
		rest_left -= delta
		if rest_left <= 0.0:
			next_place = (next_place + 1) % places.size()
			walk_to(places[next_place].position)
	if track.points.is_empty() or track.points[-1].distance_to($Walker.position) > 4.0:
		track.add_point($Walker.position)


func walk_to(target: Vector2) -> void:
	agent.target_position = target
	flag.position = target
	track.clear_points()
