# SPDX-License-Identifier: MIT
# What all Godot tests share: counting checks, and obstacles with a brute force answer.
# A test extends this class and overrides run(). It must end by returning from run().
extends SceneTree

const BOUNDS := Rect2(0, 0, 1000, 600)

var server := NavCorridorServer
var errors := ErrorLog.new()
var failures := 0


# Collects what the engine reports, so that tests can ask for the message of a mistake.
class ErrorLog:
	extends Logger
	var texts: PackedStringArray = []
	var mutex := Mutex.new()

	func _log_error(
		_function: String,
		_file: String,
		_line: int,
		code: String,
		rationale: String,
		_editor_notify: bool,
		_error_type: int,
		_backtraces: Array[ScriptBacktrace]
	) -> void:
		mutex.lock()
		texts.append(rationale if rationale != "" else code)
		mutex.unlock()

	func take() -> PackedStringArray:
		mutex.lock()
		var taken := texts
		texts = PackedStringArray()
		mutex.unlock()
		return taken


func _initialize() -> void:
	OS.add_logger(errors)
	start.call_deferred()


func start() -> void:
	await physics_frame
	await run()
	# Nodes that were queued must be gone before the engine counts what is left.
	await process_frame
	await process_frame
	OS.remove_logger(errors)
	print("sentinel")
	quit(1 if failures > 0 else 0)


func run() -> void:
	check(false, "the test overrides run()")


func check(condition: bool, name: String) -> void:
	print("ok - " if condition else "not ok - ", name)
	if not condition:
		failures += 1


func check_equal(actual: Variant, expected: Variant, name: String) -> void:
	var is_equal: bool = typeof(actual) == typeof(expected) and actual == expected
	check(is_equal, name if is_equal else "%s: %s instead of %s" % [name, actual, expected])


func check_near(actual: float, expected: float, tolerance: float, name: String) -> void:
	var is_near := absf(actual - expected) <= tolerance
	check(is_near, name if is_near else "%s: %f instead of %f" % [name, actual, expected])


func wait_frames(count: int) -> void:
	for i in count:
		await physics_frame


# Frames without a display take no time at all, threads do: so this waits by the clock.
func wait_for_threads(is_busy: Callable) -> void:
	var end := Time.get_ticks_msec() + 60_000
	while is_busy.call() and Time.get_ticks_msec() < end:
		OS.delay_msec(1)
		await physics_frame


# ---- Levels


func make_polygon(points: PackedVector2Array) -> Polygon2D:
	var polygon := Polygon2D.new()
	polygon.polygon = points
	return polygon


func make_box(rect: Rect2) -> PackedVector2Array:
	return PackedVector2Array(
		[
			rect.position,
			rect.position + Vector2(rect.size.x, 0),
			rect.end,
			rect.position + Vector2(0, rect.size.y)
		]
	)


func make_region(polygons: Array[PackedVector2Array]) -> CorridorRegion2D:
	var region := CorridorRegion2D.new()
	region.bounds = BOUNDS
	for points in polygons:
		region.add_child(make_polygon(points))
	return region


func make_random_polygons(random: RandomNumberGenerator, count: int) -> Array[PackedVector2Array]:
	var polygons: Array[PackedVector2Array] = []
	for i in count:
		var center := Vector2(random.randf_range(60, 940), random.randf_range(60, 540))
		var points := PackedVector2Array()
		var corners := random.randi_range(3, 8)
		for k in corners:
			var direction := Vector2.from_angle(TAU * (k + random.randf_range(0, 0.8)) / corners)
			points.append(center + direction * random.randf_range(15, 65))
		polygons.append(points)
	return polygons


func make_agent(position: Vector2, radius: float) -> CorridorAgent:
	var body := Node2D.new()
	body.position = position
	var agent := CorridorAgent.new()
	agent.radius = radius
	body.add_child(agent)
	return agent


# ---- Brute force


# The distance from a point to the nearest obstacle or to the bounds; negative inside.
func find_clearance(polygons: Array[PackedVector2Array], point: Vector2) -> float:
	var best := minf(
		minf(point.x - BOUNDS.position.x, BOUNDS.end.x - point.x),
		minf(point.y - BOUNDS.position.y, BOUNDS.end.y - point.y)
	)
	for points in polygons:
		var distance := INF
		for i in points.size():
			var foot := Geometry2D.get_closest_point_to_segment(
				point, points[i], points[(i + 1) % points.size()]
			)
			distance = minf(distance, point.distance_to(foot))
		if is_inside(points, point):
			distance = -distance
		best = minf(best, distance)
	return best


# Counts crossings with numbers of double precision; Geometry2D.is_point_in_polygon() is wrong for
# points within some thousandths of a side.
func is_inside(points: PackedVector2Array, point: Vector2) -> bool:
	var inside := false
	for i in points.size():
		var a := points[i]
		var b := points[(i + 1) % points.size()]
		if (a.y > point.y) != (b.y > point.y):
			var t: float = (float(point.y) - a.y) / (float(b.y) - a.y)
			if a.x + t * (float(b.x) - a.x) > point.x:
				inside = not inside
	return inside


func find_free_point(
	random: RandomNumberGenerator, polygons: Array[PackedVector2Array], radius: float
) -> Vector2:
	for i in 1000:
		var point := Vector2(random.randf_range(0, 1000), random.randf_range(0, 600))
		if find_clearance(polygons, point) > radius:
			return point
	return Vector2.ZERO
