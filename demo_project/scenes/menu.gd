# SPDX-License-Identifier: MIT
# The menu: one card for each numbered scene. Arrow keys and Enter, numbers, or the mouse.
extends Control

const COLUMNS := 4
const CARD := Vector2(286, 272)
const STEP := Vector2(304, 290)
const PICTURES := "res://scenes/thumbnails/" # by tools/demo, made small

@onready var cards: Control = %Cards


func _ready() -> void:
	for path in Stage.list_scenes():
		var card := make_card(path)
		var index := cards.get_child_count()
		card.position = STEP * Vector2(index % COLUMNS, floori(index / float(COLUMNS)))
		card.size = CARD
		cards.add_child(card)
	var first: Button = cards.get_child(0)
	first.grab_focus()


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	for path in Stage.list_scenes():
		if path.get_file().left(2) == "0" + char(key.unicode):
			Stage.open(path)


func make_card(path: String) -> Button:
	var card := Button.new()
	card.pressed.connect(Stage.open.bind(path))
	card.mouse_entered.connect(card.grab_focus)
	card.focus_entered.connect(show_focus.bind(card, true))
	card.focus_exited.connect(show_focus.bind(card, false))
	var picture := TextureRect.new()
	picture.texture = load(PICTURES + path.get_file().get_basename() + ".webp")
	picture.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	picture.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_COVERED
	picture.position = Vector2(12, 12)
	picture.size = Vector2(CARD.x - 24.0, 142)
	picture.clip_contents = true
	picture.mouse_filter = Control.MOUSE_FILTER_IGNORE
	card.add_child(picture)
	var title := "%s  %s" % [path.get_file().left(2), read_guide(path, &"title")]
	add_text(card, title, Rect2(14, 158, CARD.x - 28.0, 24), 17, Color(0.16, 0.19, 0.24))
	var place := Rect2(14, 184, CARD.x - 28.0, 80)
	add_text(card, read_guide(path, &"text"), place, 12, Color(0.33, 0.37, 0.42))
	return card


func add_text(card: Button, text: String, rect: Rect2, font_size: int, color: Color) -> void:
	var label := Label.new()
	label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	label.custom_minimum_size = Vector2(rect.size.x, 0)
	label.add_theme_constant_override("line_spacing", 0)
	label.text = text
	label.position = rect.position
	label.add_theme_font_size_override("font_size", font_size)
	label.add_theme_color_override("font_color", color)
	card.add_child(label)


func show_focus(card: Button, is_focused: bool) -> void:
	if is_focused:
		card.add_theme_stylebox_override("normal", card.get_theme_stylebox("hover"))
	else:
		card.remove_theme_stylebox_override("normal")


# What the guide of a scene says, without running the scene.
func read_guide(path: String, property: StringName) -> String:
	var scene: PackedScene = load(path)
	var state := scene.get_state()
	for node in state.get_node_count():
		if state.get_node_name(node) == &"Guide":
			for i in state.get_node_property_count(node):
				if state.get_node_property_name(node, i) == property:
					return state.get_node_property_value(node, i)
	return ""
