#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate typed C functions for the Godot methods that the extension calls, and for no others.

    godot_api.py extension_api.json gd_api.list gd_api.gen.h

The list names one `Class.method` a line; `#` starts a comment. For each the header gets a row in an
X-macro (class, method, hash) and a static inline function with C types, so that a wrong argument is
a compiler error and a method that the engine lacks is an error of the build. Methods of classes that
only the editor has get a table of their own, because they can be looked up in the editor only.
"""

import json
import re
import sys

# Passed and returned by value.
VALUES = {
    "bool": "bool",
    "int": "int64_t",
    "float": "double",
    "Vector2": "GdVector2",
    "Vector2i": "GdVector2i",
    "Vector3": "GdVector3",
    "Vector3i": "GdVector3i",
    "Rect2": "GdRect2",
    "Transform2D": "GdTransform2D",
    "Transform3D": "GdTransform3D",
    "AABB": "GdAabb",
    "Basis": "GdBasis",
    "Plane": "GdPlane",
    "Color": "GdColor",
    "RID": "GdRid",
}

# Passed by pointer; returned by value, to be destroyed by the caller.
OPAQUE = {
    "String", "StringName", "NodePath", "Callable", "Array", "Dictionary", "Variant",
    "PackedByteArray", "PackedInt32Array", "PackedFloat32Array", "PackedStringArray", "PackedVector2Array",
    "PackedVector3Array", "PackedColorArray",
}

# Zero is written without braces for these.
SCALARS = {"GDExtensionBool", "int64_t", "double", "GdRid", "GDExtensionObjectPtr"}


class ApiError(Exception):
    """Something the list asks for is not in the API dump."""


def snake_case(name):
    name = re.sub(r"([a-z])([23]D)", r"\1_\2", name)
    name = re.sub(r"([^_])([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def find_c_type(api, name):
    """The C type and its kind: "value", "opaque" or "object"."""
    if name.startswith(("enum::", "bitfield::")):
        return "int64_t", "value"
    if name.startswith("typedarray::"):
        name = "Array"
    if name in VALUES:
        return VALUES[name], "value"
    if name in OPAQUE:
        return f"Gd{name}", "opaque"
    if name in api["classes"]:
        return "GDExtensionObjectPtr", "object"
    raise ApiError(f"tools/godot_api.py has no C type for {name}: add it to VALUES or OPAQUE")


def load_api(path):
    with open(path, encoding="utf-8") as file:
        dump = json.load(file)
    return {
        "classes": {item["name"]: item for item in dump["classes"]},
        "builtins": {item["name"]: item for item in dump["builtin_classes"]},
        "version": dump["header"]["version_full_name"],
    }


def load_list(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.split("#")[0].strip()
            if not text:
                continue
            if not re.fullmatch(r"\w+\.\w+", text):
                raise ApiError(f"{path}:{number}: expected Class.method, found '{text}'")
            rows.append((number, *text.split(".")))
    return rows


def find_method(api, class_name, method_name):
    """Search the class and its ancestors, because the hash belongs to the class that declares it."""
    if class_name in api["builtins"]:
        for method in api["builtins"][class_name].get("methods", []):
            if method["name"] == method_name:
                return class_name, method
        raise ApiError(f"{class_name} has no method {method_name} in {api['version']}")
    name = class_name
    while name:
        if name not in api["classes"]:
            raise ApiError(f"there is no class {name} in {api['version']}")
        for method in api["classes"][name].get("methods", []):
            if method["name"] == method_name:
                return name, method
        name = api["classes"][name].get("inherits")
    raise ApiError(f"{class_name} has no method {method_name} in {api['version']}")


def render_arguments(api, method):
    """Parameters of the C function, and expressions that point at them."""
    parameters, pointers, copies = [], [], []
    for argument in method.get("arguments", []):
        c_type, kind = find_c_type(api, argument["type"])
        name = argument["name"] + ("_" if argument["name"] in ("default", "signal") else "")
        if kind == "opaque":
            parameters.append(f"const {c_type}* {name}")
            pointers.append(name)
        elif c_type == "bool":
            parameters.append(f"bool {name}")
            copies.append(f"\tGDExtensionBool {name}_byte = {name};")
            pointers.append(f"&{name}_byte")
        else:
            parameters.append(f"{c_type} {name}")
            pointers.append(f"&{name}")
    return parameters, pointers, copies


def render_function(api, class_name, method, is_builtin):
    result_name = method.get("return_type") or method.get("return_value", {}).get("type")
    parameters, pointers, lines = render_arguments(api, method)
    symbol = f"{snake_case(class_name)}_{method['name']}"
    if is_builtin:
        self_parameter = f"{'const ' if method['is_const'] else ''}Gd{class_name}* self"
    else:
        self_parameter = "GDExtensionObjectPtr self"
    result_type, kind = find_c_type(api, result_name) if result_name else ("void", "")

    if pointers:
        lines.append(f"\tconst GDExtensionConstTypePtr args[] = {{{', '.join(pointers)}}};")
    args = "args" if pointers else "NULL"
    target = "NULL"
    if result_name:
        storage = "GDExtensionBool" if result_type == "bool" else result_type
        lines.append(f"\t{storage} result = {'0' if storage in SCALARS else '{0}'};")
        if kind == "opaque":
            lines.append(f"\tgd_construct(GD_TYPE_OF_{result_type}, &result);")
        target = "&result"
    if is_builtin:
        call = f"gd_builtin_call(GD_BUILTIN_{symbol}, (GDExtensionTypePtr)self, {args}, {target}, {len(pointers)})"
    else:
        call = f"gd_ptrcall(GD_METHOD_{symbol}, self, {args}, {target})"
    lines.append(f"\t{call};")
    if result_name:
        lines.append(f"\treturn result{' != 0' if result_type == 'bool' else ''};")
    head = f"static inline {result_type} gd_{symbol}({', '.join([self_parameter] + parameters)})"
    return "\n".join([head, "{"] + lines + ["}", ""])


def find_variant_type(name):
    """The constant of a builtin type; the header writes TRANSFORM3D without an underscore."""
    return "GDEXTENSION_VARIANT_TYPE_" + re.sub(r"_([23]D)", r"\1", snake_case(name).upper())


def render_table(name, rows):
    lines = [f"#define {name}(X)"]
    lines += [f"\tX({symbol}, {owner}, \"{method}\", {hash_value}LL)"
              for symbol, owner, method, hash_value in rows]
    return " \\\n".join(lines) + "\n"


def generate(api, rows):
    tables = {"core": [], "editor": [], "builtin": []}
    functions = []
    for _, class_name, method_name in rows:
        is_builtin = class_name in api["builtins"]
        owner, method = find_method(api, class_name, method_name)
        symbol = f"{snake_case(class_name)}_{method_name}"
        kind = "builtin" if is_builtin else api["classes"][owner]["api_type"]
        owner = find_variant_type(owner) if is_builtin else f'"{owner}"'
        tables[kind].append((symbol, owner, method_name, method["hash"]))
        # Methods with any number of arguments have no typed form; gd_value.c calls them.
        if not method.get("is_vararg"):
            functions.append(render_function(api, class_name, method, is_builtin))
    return (
        f"// Made by tools/godot_api.py for {api['version']}. Do not edit.\n"
        "// Included by gd.h only.\n\n"
        + render_table("GD_API_METHODS", tables["core"]) + "\n"
        + render_table("GD_API_EDITOR_METHODS", tables["editor"]) + "\n"
        + render_table("GD_API_BUILTINS", tables["builtin"]) + "\n"
        "#define X(symbol, owner, method, hash) GD_METHOD_##symbol,\n"
        "typedef enum GdMethodIndex\n{\n\tGD_API_METHODS(X) GD_METHOD_EDITOR_BEGIN,\n"
        "\tGD_METHOD_BEFORE_EDITOR = GD_METHOD_EDITOR_BEGIN - 1,\n"
        "\tGD_API_EDITOR_METHODS(X) GD_METHOD_COUNT\n} GdMethodIndex;\n"
        "#undef X\n\n"
        "#define X(symbol, owner, method, hash) GD_BUILTIN_##symbol,\n"
        "typedef enum GdBuiltinIndex\n{\n\tGD_API_BUILTINS(X) GD_BUILTIN_COUNT\n} GdBuiltinIndex;\n"
        "#undef X\n\n"
        "void gd_ptrcall(GdMethodIndex method, GDExtensionObjectPtr self,\n"
        "\tconst GDExtensionConstTypePtr* args, GDExtensionTypePtr result);\n"
        "void gd_builtin_call(GdBuiltinIndex method, GDExtensionTypePtr self,\n"
        "\tconst GDExtensionConstTypePtr* args, GDExtensionTypePtr result, int count);\n\n"
        + "\n".join(functions)
    )


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        text = generate(load_api(sys.argv[1]), load_list(sys.argv[2]))
    except (ApiError, OSError, KeyError, ValueError) as error:
        sys.exit(f"godot_api.py: {type(error).__name__}: {error}")
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
