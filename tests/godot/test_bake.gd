# SPDX-License-Identifier: MIT
# mistakes: expected
# Baking: on threads and at once, into resources that are saved, loaded, moved and damaged; from all
# kinds of sources, below the region and in groups.
extends "checker.gd"

const WALL := Rect2(450, 100, 100, 400)
const NEXT_TO_WALL := Vector2(430, 300) # 20 away from it


func run() -> void:
	await bakes_run_on_threads()
	await later_bakes_win()
	await regions_may_go_while_they_bake()
	await scenes_keep_their_map()
	await bad_data_is_named()
	await moved_regions_do_not_use_it()
	await changes_of_the_data_are_seen()
	await dynamic_obstacles_stay()
	await groups_are_sources()
	await occluders_are_sources()
	await tiles_are_sources()


func make_wall_region() -> CorridorRegion2D:
	return make_region([make_box(WALL)])


func get_clearance(region: CorridorRegion2D, point := NEXT_TO_WALL) -> float:
	return server.map_get_clearance(region.get_navigation_map(), point)


func bakes_run_on_threads() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 3
	var region := make_region(make_random_polygons(random, 200))
	root.add_child(region)
	check_equal(region.get_bake_progress(), 0.0, "nothing is baked at first")
	region.bake_corridor_map()
	check(region.is_baking() and not region.is_baked(), "a bake runs")
	var progress := [0.0]
	var is_rising := true
	await wait_for_threads(
		func() -> bool:
			progress.append(region.get_bake_progress())
			return region.is_baking()
	)
	for i in range(1, progress.size()):
		is_rising = is_rising and progress[i] >= progress[i - 1]
	check(is_rising and progress[-1] <= 1.0, "its progress rises")
	check(region.is_baked() and region.get_bake_progress() == 1.0, "it ends")
	check_equal(region.corridor_map.check(), "", "and made data that can be used")
	check(not region.is_bake_stale(), "which is up to date")
	var twin := make_region([])
	for child in region.get_children():
		twin.add_child(child.duplicate())
	root.add_child(twin)
	var is_equal := true
	for i in 200:
		var point := Vector2(random.randf_range(0, 1000), random.randf_range(0, 600))
		is_equal = is_equal and get_clearance(region, point) == get_clearance(twin, point)
	check(is_equal, "the baked map gives the answers of the live one")
	twin.bake_corridor_map(false)
	check(twin.corridor_map.data == region.corridor_map.data, "threads bake the same bytes")
	region.free()
	twin.free()


func later_bakes_win() -> void:
	var region := make_region([])
	root.add_child(region)
	var counts := [0]
	region.bake_finished.connect(func() -> void: counts[0] += 1)
	region.bake_corridor_map()
	region.add_child(make_polygon(make_box(WALL)))
	region.bake_corridor_map()
	await wait_for_threads(region.is_baking)
	await wait_frames(3)
	check_equal(counts[0], 1, "only the last of two bakes is told")
	check_near(get_clearance(region), 20.0, 0.01, "and counts")
	region.bake_corridor_map()
	region.clear_corridor_map()
	check(not region.is_baking() and not region.is_baked(), "clearing ends a bake")
	check_near(get_clearance(region), 20.0, 0.01, "and the sources are used again")
	await wait_frames(3)
	check_equal(counts[0], 1, "nothing comes of it")
	region.free()


func regions_may_go_while_they_bake() -> void:
	for i in 20:
		var region := make_wall_region()
		root.add_child(region)
		region.bake_corridor_map()
		if i % 2 == 0:
			root.remove_child(region)
		if i % 3 == 0:
			await physics_frame
		region.free()
	await wait_frames(5)
	check(true, "regions are freed while they bake")


func scenes_keep_their_map() -> void:
	var scene := Node2D.new()
	var region := make_wall_region()
	region.name = "Region"
	scene.add_child(region)
	root.add_child(scene)
	region.bake_corridor_map(false)
	var polygon := region.get_child(0)
	region.remove_child(polygon) # what is baked does not need its sources
	polygon.free()
	region.owner = scene
	for path: String in ["user://baked.tscn", "user://baked.scn"]:
		var packed := PackedScene.new()
		packed.pack(scene)
		check_equal(ResourceSaver.save(packed, path), OK, "%s is saved" % path)
		var loaded: PackedScene = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		var copy := loaded.instantiate()
		var answers := []
		copy.ready.connect(func() -> void: answers.append(get_clearance(copy.get_node("Region"))))
		root.add_child(copy)
		check_equal(answers.size(), 1, "it is asked in _ready()")
		check_near(answers[0], 20.0, 0.01, "and knows the baked map")
		copy.free()
		DirAccess.remove_absolute(path)
	var twin: CorridorRegion2D = region.duplicate()
	root.add_child(twin)
	check_near(get_clearance(twin), 20.0, 0.01, "a duplicate has the map")
	var path := "user://map.res"
	check_equal(ResourceSaver.save(region.corridor_map, path), OK, "a map is a file of its own")
	var data: CorridorMapData = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	check(data.data == region.corridor_map.data and data.check() == "", "and comes back")
	DirAccess.remove_absolute(path)
	twin.free()
	scene.free()
	await physics_frame


func bad_data_is_named() -> void:
	var region := make_wall_region()
	root.add_child(region)
	region.bake_corridor_map(false)
	var good := region.corridor_map.data
	for kind: String in ["cut", "changed", "nonsense"]:
		var bytes := good.duplicate()
		if kind == "cut":
			bytes.resize(bytes.size() - 7)
		elif kind == "changed":
			bytes[bytes.size() / 2] ^= 1
		else:
			bytes = PackedByteArray([1, 2, 3])
		errors.take()
		region.corridor_map.data = bytes
		check(region.corridor_map.check() != "", "%s bytes are not good" % kind)
		await wait_frames(3)
		var texts := errors.take()
		check(
			texts.size() == 1 and texts[0].contains("the baked map cannot be used"),
			"%s bytes are reported once: %s" % [kind, texts]
		)
		check(not region.is_baked(), "and not used")
		check_near(get_clearance(region), 20.0, 0.01, "the sources are")
	region.corridor_map.data = good
	await wait_frames(2)
	check(region.is_baked(), "good bytes are used again")
	region.corridor_map = null
	check(not region.is_baked(), "without a resource nothing is baked")
	region.set("corridor_map", Resource.new())
	check(errors.take()[0].contains("CorridorMapData or null"), "another resource is refused")
	region.free()


func moved_regions_do_not_use_it() -> void:
	var region := make_wall_region()
	root.add_child(region)
	region.bake_corridor_map(false)
	region.position = Vector2(1000, 0)
	await wait_frames(2)
	check(not region.is_baked(), "a moved region does not use its baked map")
	check_near(get_clearance(region, NEXT_TO_WALL + Vector2(1000, 0)), 20.0, 0.01, "but builds one")
	check(region.is_bake_stale(), "the bake is stale")
	region.position = Vector2.ZERO
	await wait_frames(2)
	check(region.is_baked() and not region.is_bake_stale(), "back in its place it is used again")
	region.free()


func changes_of_the_data_are_seen() -> void:
	var region := make_wall_region()
	root.add_child(region)
	region.bake_corridor_map(false)
	var before := region.corridor_map.data
	var checksum := region.corridor_map.source_checksum
	region.get_child(0).position.x = 100
	check(region.is_bake_stale(), "a moved obstacle makes the bake stale")
	check_near(get_clearance(region), 20.0, 0.01, "the baked map stays as it is")
	region.bake_corridor_map(false)
	check_near(get_clearance(region), 120.0, 0.01, "until it is baked again")
	region.corridor_map.data = before
	region.corridor_map.source_checksum = checksum
	await wait_frames(2)
	check_near(get_clearance(region), 20.0, 0.01, "taking the bytes back takes the bake back")
	region.free()


func dynamic_obstacles_stay() -> void:
	var region := make_wall_region()
	root.add_child(region)
	var obstacle := server.obstacle_create()
	server.obstacle_set_vertices(obstacle, make_box(Rect2(300, 290, 20, 20)))
	server.obstacle_set_map(obstacle, region.get_navigation_map())
	check_near(get_clearance(region, Vector2(330, 300)), 10.0, 0.01, "an obstacle is in the map")
	region.bake_corridor_map(false)
	check_near(get_clearance(region, Vector2(330, 300)), 10.0, 0.01, "and stays in a baked one")
	check_near(get_clearance(region), 20.0, 0.01, "beside what was baked")
	server.obstacle_set_position(obstacle, Vector2(-100, 0))
	check_near(get_clearance(region, Vector2(230, 300)), 10.0, 0.01, "where it can move")
	server.free_rid(obstacle)
	region.free()
	await physics_frame


func groups_are_sources() -> void:
	var region := make_region([make_box(Rect2(0, 0, 100, 100))])
	var body := StaticBody2D.new()
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	shape.shape.size = WALL.size
	shape.position = WALL.get_center()
	body.add_child(shape)
	var inner := make_polygon(make_box(Rect2(300, 290, 20, 20)))
	body.add_child(inner)
	root.add_child(region)
	root.add_child(body)
	body.add_to_group("walls")
	region.source_geometry_mode = CorridorRegion2D.SOURCE_GEOMETRY_GROUPS_WITH_CHILDREN
	region.source_geometry_group_name = "walls"
	await wait_frames(2)
	check_near(get_clearance(region), 20.0, 0.01, "a group is a source")
	check_near(get_clearance(region, Vector2(330, 300)), 10.0, 0.01, "with what is below it")
	check_near(get_clearance(region, Vector2(50, 50)), 50.0, 0.01, "and nothing else")
	region.source_geometry_mode = CorridorRegion2D.SOURCE_GEOMETRY_GROUPS_EXPLICIT
	await wait_frames(2)
	check_near(get_clearance(region), 20.0, 0.01, "or without: then with shapes of bodies")
	check_near(get_clearance(region, Vector2(330, 300)), 120.0, 0.01, "only")
	region.source_geometry_group_name = "nobody"
	await wait_frames(2)
	check_near(get_clearance(region), 300.0, 0.01, "a group of nobody blocks nothing")
	region.free()
	body.free()


func occluders_are_sources() -> void:
	var region := make_region([])
	var occluder := LightOccluder2D.new()
	occluder.occluder = OccluderPolygon2D.new()
	occluder.occluder.polygon = make_box(WALL)
	region.add_child(occluder)
	region.add_child(LightOccluder2D.new())
	root.add_child(region)
	check_near(get_clearance(region), 20.0, 0.01, "occluders block")
	check_equal(get_clearance(region, WALL.get_center()), 0.0, "inside, too")
	occluder.occluder.closed = false
	region.bake_corridor_map(false)
	check_near(get_clearance(region, WALL.get_center()), 50.0, 0.01, "open ones are lines")
	region.free()
	await physics_frame


func make_tile_set() -> TileSet:
	var tile_set := TileSet.new()
	tile_set.tile_size = Vector2i(20, 20)
	tile_set.add_physics_layer()
	tile_set.add_navigation_layer()
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(60, 20, false, Image.FORMAT_RGBA8)
	)
	source.texture_region_size = Vector2i(20, 20)
	tile_set.add_source(source, 0)
	for i in 3:
		source.create_tile(Vector2i(i, 0))
	var half := source.get_tile_data(Vector2i(0, 0), 0)
	half.add_collision_polygon(0)
	half.set_collision_polygon_points(0, 0, make_box(Rect2(-10, -10, 10, 20)))
	var walkable := NavigationPolygon.new()
	walkable.vertices = make_box(Rect2(-10, -10, 20, 20))
	walkable.add_polygon(PackedInt32Array([0, 1, 2, 3]))
	source.get_tile_data(Vector2i(1, 0), 0).set_navigation_polygon(0, walkable)
	return tile_set


func tiles_are_sources() -> void:
	var region := make_region([])
	var layer := TileMapLayer.new()
	layer.tile_set = make_tile_set()
	layer.set_cell(Vector2i(10, 10), 0, Vector2i(0, 0)) # its left half blocks: x from 200 to 210
	layer.set_cell(Vector2i(30, 10), 0, Vector2i(0, 0), TileSetAtlasSource.TRANSFORM_FLIP_H)
	layer.set_cell(Vector2i(50, 50), 0, Vector2i(2, 0))
	region.add_child(layer)
	root.add_child(region)
	check_near(get_clearance(region, Vector2(215, 210)), 5.0, 0.01, "tiles block")
	check_near(get_clearance(region, Vector2(195, 210)), 5.0, 0.01, "on both sides")
	check_near(get_clearance(region, Vector2(605, 210)), 5.0, 0.01, "flipped ones, too")
	layer.position = Vector2(5, 0)
	region.parsed_collision_mask = 2
	await wait_frames(2)
	check(get_clearance(region, Vector2(215, 210)) > 100.0, "only those of the mask")
	region.parsed_collision_mask = 1
	await wait_frames(2)
	check_near(get_clearance(region, Vector2(215, 210)), 0.0, 0.01, "tiles move with their layer")
	for x in 20:
		layer.set_cell(Vector2i(5 + x, 20), 0, Vector2i(1, 0))
	region.bake_corridor_map(false)
	check_near(get_clearance(region, Vector2(300, 410)), 10.0, 0.01, "navigation polygons: a road")
	check_equal(get_clearance(region, Vector2(300, 500)), 0.0, "beside which nothing is free")
	region.free()
