# SPDX-License-Identifier: MIT
# mistakes: expected
# TerrainProfile: weights as a Dictionary, single weights, what is refused, saving and loading.
extends "checker.gd"

var change_count := 0


func run() -> void:
	weights_go_in_and_out()
	nonsense_is_refused()
	profiles_are_saved()


func weights_go_in_and_out() -> void:
	var profile := TerrainProfile.new()
	profile.changed.connect(func() -> void: change_count += 1)
	check_equal(profile.weights, {}, "a new profile lists nothing")
	check_equal(profile.get_weight(5), 1.0, "what is not listed costs 1")
	profile.weights = {1: 2.5, 3: 0, 63: 1}
	check_equal(profile.get_weight(1), 2.5, "a listed weight counts")
	check(profile.is_blocked(3) and not profile.is_blocked(1), "zero means blocked")
	profile.set_weight(2, INF)
	check(profile.is_blocked(2), "and so does infinity")
	check_equal(profile.weights, {1: 2.5, 2: 0.0, 3: 0.0, 63: 1.0}, "the Dictionary has it all")
	check_equal(change_count, 2, "each change is told")
	profile.weights = {}
	check_equal(profile.get_weight(1), 1.0, "an empty Dictionary takes all weights back")


func nonsense_is_refused() -> void:
	var profile := TerrainProfile.new()
	profile.weights = {1: 2.5}
	check_refused(profile, {64: 1.0}, "from 0 to 63, not 64")
	check_refused(profile, {-1: 1.0}, "from 0 to 63, not -1")
	check_refused(profile, {1.5: 1.0}, "whole number, not 1.5")
	check_refused(profile, {NAN: 1.0}, "whole number, not")
	check_refused(profile, {2: -1.0}, "weight of type 2 must be above 0")
	check_refused(profile, {2: NAN}, "weight of type 2 must be above 0")
	check_refused(profile, {"mud": 1.0}, "every key is the number")
	check_refused(profile, {2: "much"}, "every key is the number")
	check_refused(profile, {2: null}, "every key is the number")
	profile.set_weight(64, 1.0)
	check(errors.take()[0].contains("set_weight(): a terrain type"), "a method is named")


func check_refused(profile: TerrainProfile, weights: Dictionary, words: String) -> void:
	errors.take()
	profile.weights = weights
	var texts := errors.take()
	check(
		texts.size() == 1 and texts[0].contains(words) and profile.weights == {1: 2.5},
		"%s is refused: %s" % [weights, words]
	)


func profiles_are_saved() -> void:
	var profile := TerrainProfile.new()
	profile.weights = {0: 3.0, 7: 0.0}
	for path: String in ["user://profile.tres", "user://profile.res"]:
		check_equal(ResourceSaver.save(profile, path), OK, path + " is saved")
		var loaded: TerrainProfile = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		check_equal(loaded.weights, profile.weights, path + " is loaded")
		DirAccess.remove_absolute(path)
	var copy: TerrainProfile = profile.duplicate()
	profile.set_weight(7, 2.0)
	check(copy.is_blocked(7), "a copy has weights of its own")
