# SPDX-License-Identifier: MIT
"""Turn text files into a C header with one table of them.

    python3 tools/embed.py OUT.h FILE...

The header holds one string per file, the table nc_doc_classes of {name, text} with the file names
without their ending, and NC_DOC_CLASS_COUNT. Without files the count is zero, and the table has
one empty entry, because C knows no empty arrays. Strings are written as lists of bytes: a literal
may be too long for the compiler, a list may not.
"""

import os
import sys

BYTES_PER_LINE = 24


def format_bytes(data):
    numbers = [str(byte) for byte in data] + ["0"]
    lines = [numbers[i:i + BYTES_PER_LINE] for i in range(0, len(numbers), BYTES_PER_LINE)]
    return ",\n".join("\t" + ", ".join(line) for line in lines)


def embed(paths):
    names = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    if len(set(names)) != len(names):
        sys.exit("embed.py: two files have the same name")

    parts = ["// Made by tools/embed.py. Do not edit.\n#pragma once\n"]
    for name, path in zip(names, paths):
        with open(path, "rb") as file:
            data = file.read()
        if max(data, default=0) > 127:
            sys.exit(f"embed.py: {path} is not plain ASCII")
        parts.append(f"static const char nc_text_{name}[] = {{\n{format_bytes(data)}}};\n")

    entries = "".join(f'\t{{"{name}", nc_text_{name}}},\n' for name in names) or '\t{"", ""},\n'
    parts.append(f"#define NC_DOC_CLASS_COUNT {len(names)}\n")
    parts.append("static const struct\n{\n\tconst char* name;\n\tconst char* text;\n}"
                 f" nc_doc_classes[] = {{\n{entries}}};\n")
    return "\n".join(parts)


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    with open(arguments[0], "w", encoding="ascii") as header:
        header.write(embed(arguments[1:]))


if __name__ == "__main__":
    main(sys.argv[1:])
