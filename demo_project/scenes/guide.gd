# SPDX-License-Identifier: MIT
# The panel at the lower edge that says what a scene shows and which keys it has.
@tool
extends CanvasLayer

@export var title := "":
	set(value):
		title = value
		update_texts()
@export_multiline var text := "":
	set(value):
		text = value
		update_texts()
## The scene's own keys; how to get back to the menu is added.
@export var keys := "":
	set(value):
		keys = value
		update_texts()


func _ready() -> void:
	update_texts()


func update_texts() -> void:
	if not is_node_ready():
		return
	var title_label: Label = %Title
	var text_label: Label = %Text
	var keys_label: Label = %Keys
	title_label.text = title
	text_label.text = text
	keys_label.text = keys + ("\n" if keys != "" else "") + "Esc: menu"
