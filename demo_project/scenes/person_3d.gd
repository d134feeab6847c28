# SPDX-License-Identifier: MIT
# Somebody in an office: the CorridorAgent below moves this node, which turns to where it goes, and
# shows its way as a ribbon on the floor.
class_name Person3D
extends Node3D

enum Kind { PERSON, TROLLEY, ROBOT }

const RIBBON_HEIGHT := 0.03
const RIBBON_WIDTH := 0.035

@export var kind := Kind.PERSON
@export var color := Color(0.16, 0.3, 0.62)
## Where it goes, one place after the other; with none it waits for orders.
@export var places: PackedVector3Array

var next_place := 0
var ribbon := ImmediateMesh.new()

@onready var agent: CorridorAgent = $Agent
@onready var figure: Node3D = $Figure


func _ready() -> void:
	add_parts()
	var strip: MeshInstance3D = $Ribbon
	strip.mesh = ribbon
	strip.top_level = true
	strip.global_transform = Transform3D.IDENTITY
	strip.material_override = make_material(color.lightened(0.2), true)
	agent.velocity_computed.connect(turn)
	agent.path_changed.connect(show_path)
	agent.navigation_finished.connect(walk_on)
	if not places.is_empty():
		agent.target_position = places[0]


# Its own targets end when somebody else gives one.
func walk_to(target: Vector3) -> void:
	places = PackedVector3Array()
	agent.target_position = target


func walk_on() -> void:
	if not places.is_empty():
		next_place = (next_place + 1) % places.size()
		agent.set_deferred("target_position", places[next_place])


func turn(velocity: Vector3) -> void:
	if velocity.length() > 0.1:
		figure.rotation.y = lerp_angle(figure.rotation.y, atan2(-velocity.x, -velocity.z), 0.2)


func show_path() -> void:
	var path: PackedVector3Array = agent.get_current_navigation_path()
	ribbon.clear_surfaces()
	if path.size() < 2:
		return
	ribbon.surface_begin(Mesh.PRIMITIVE_TRIANGLE_STRIP)
	for i in path.size():
		var along := path[mini(i + 1, path.size() - 1)] - path[maxi(i - 1, 0)]
		var side := Vector3(along.z, 0, -along.x).normalized() * RIBBON_WIDTH
		var point := Vector3(path[i].x, RIBBON_HEIGHT, path[i].z)
		ribbon.surface_add_vertex(point - side)
		ribbon.surface_add_vertex(point + side)
	ribbon.surface_end()


# ---- What it looks like


func add_parts() -> void:
	var r := agent.radius
	match kind:
		Kind.PERSON:
			var body := CapsuleMesh.new()
			body.radius = 0.72 * r
			body.height = 1.15
			add_part(body, Vector3(0, 0.62, 0), color)
			var head := SphereMesh.new()
			head.radius = 0.17
			head.height = 0.34
			add_part(head, Vector3(0, 1.38, 0), Color(0.98, 0.83, 0.66))
			add_part(make_box(Vector3(0.2, 0.06, 0.1)), Vector3(0, 1.42, -0.14), color.darkened(0.4))
		Kind.TROLLEY:
			add_part(make_box(Vector3(1.2, 0.08, 1.45) * r), Vector3(0, 0.22, 0), color.darkened(0.3))
			add_part(make_box(Vector3(0.7, 0.45, 0.7)), Vector3(0, 0.5, 0.1), Color(0.72, 0.53, 0.33))
			add_part(make_box(Vector3(0.4, 0.35, 0.4)), Vector3(0.05, 0.9, 0.1), Color(0.8, 0.62, 0.4))
			add_part(make_box(Vector3(1.1 * r, 0.9, 0.06)), Vector3(0, 0.6, 0.72 * r), color)
		Kind.ROBOT:
			var disc := CylinderMesh.new()
			disc.top_radius = r
			disc.bottom_radius = r
			disc.height = 0.12
			add_part(disc, Vector3(0, 0.09, 0), color)
			add_part(make_box(Vector3(0.08, 0.06, 0.08)), Vector3(0, 0.17, -0.05), Color(0.95, 0.35, 0.3))


func add_part(mesh: Mesh, position_in_figure: Vector3, part_color: Color) -> void:
	var part := MeshInstance3D.new()
	part.mesh = mesh
	part.position = position_in_figure
	part.material_override = make_material(part_color, false)
	figure.add_child(part)


func make_box(size: Vector3) -> BoxMesh:
	var box := BoxMesh.new()
	box.size = size
	return box


func make_material(part_color: Color, is_flat: bool) -> StandardMaterial3D:
	var material := StandardMaterial3D.new()
	material.albedo_color = part_color
	material.roughness = 0.8
	if is_flat:
		material.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
		material.cull_mode = BaseMaterial3D.CULL_DISABLED
	return material
