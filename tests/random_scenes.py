#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Write random scenes: overlapping, crossing, nested, touching and repeated obstacles as .wkt files,
# and grids of any density as .map files.
#
#   random_scenes.py FOLDER FIRST COUNT      for COUNT seeds from FIRST on, FOLDER/scene_<seed>.wkt
#                                            and FOLDER/grid_<seed>.map
#
# A third of the scenes have their coordinates on a coarse lattice, so that points, lines and distances
# coincide; a third are as small as a few snaps (of 1/1024), so that rounding is all that is left.

import math
import os
import random
import sys

SNAP = 1 / 1024


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.step = [0.0, 1.0, SNAP][seed % 3]  # of the lattice; 0: none
        self.size = [100.0, 16.0, 40 * SNAP][seed % 3]
        self.shapes = []  # as (kind, rings)

    def place(self, x, y):
        if self.step > 0:
            x, y = round(x / self.step) * self.step, round(y / self.step) * self.step
        return x, y

    def point(self):
        return self.place(self.random.uniform(0, self.size), self.random.uniform(0, self.size))

    def around(self, center, radius, angles):
        return [self.place(center[0] + radius * r * math.cos(a), center[1] + radius * r * math.sin(a))
                for r, a in angles]

    def box(self):
        center, turn = self.point(), self.random.choice([0.0, self.random.uniform(0, 1.5)])
        half = self.random.uniform(0.02, 0.25) * self.size
        flat = self.random.uniform(0.2, 0.8)
        return [self.around(center, half, [(1, turn + a * math.pi + s * flat)
                                           for a, s in ((0, -1), (0, 1), (1, -1), (1, 1))])]

    def gon(self):
        n = self.random.randint(3, 12)
        radius = self.random.uniform(0.02, 0.25) * self.size
        return [self.around(self.point(), radius, [(1, 2 * math.pi * i / n) for i in range(n)])]

    def star(self):
        """A ring through points in any order: it crosses itself."""
        center, radius = self.point(), self.random.uniform(0.1, 0.4) * self.size
        return [self.around(center, radius, [(self.random.uniform(0.1, 1), self.random.uniform(0, 7))
                                             for _ in range(self.random.randint(3, 9))])]

    def donut(self):
        center, radius = self.point(), self.random.uniform(0.1, 0.4) * self.size
        n = self.random.randint(3, 8)
        inner = self.random.uniform(0.3, 1.1)  # may cross the border
        return [self.around(center, radius * r, [(1, 2 * math.pi * i / n) for i in range(n)])
                for r in (1, inner)]

    def add(self):
        choice = self.random.random()
        if choice < 0.1:
            self.shapes.append(("POINT", [[self.point()]]))
        elif choice < 0.25:
            count = self.random.randint(2, 5)
            self.shapes.append(("LINESTRING", [[self.point() for _ in range(count)]]))
        elif choice < 0.4 and self.shapes:
            self.repeat()
        else:
            make = self.random.choice([self.box, self.box, self.gon, self.star, self.donut])
            self.shapes.append(("POLYGON", make()))

    def repeat(self):
        """The same shape again: as it is, turned over, moved a little, or smaller inside."""
        kind, rings = self.random.choice(self.shapes)
        change = self.random.randrange(4)
        if change == 1:
            rings = [ring[::-1] for ring in rings]
        elif change == 2:
            dx, dy = self.point()
            rings = [[self.place(x + 0.2 * dx, y + 0.2 * dy) for x, y in ring] for ring in rings]
        elif change == 3:
            cx, cy = rings[0][0]
            rings = [[self.place((x + cx) / 2, (y + cy) / 2) for x, y in ring] for ring in rings]
        self.shapes.append((kind, rings))

    def lines(self):
        for kind, rings in self.shapes:
            if kind == "POLYGON" and any(len(set(ring)) < 3 for ring in rings):
                continue  # rounded to less than a polygon
            texts = [", ".join(f"{x!r} {y!r}" for x, y in ring) for ring in rings]
            body = ", ".join(f"({text})" for text in texts)
            yield f"{kind} ({body})" if kind == "POLYGON" else f"{kind} {body}"


def make_grid(seed):
    numbers = random.Random(seed)
    width, height = numbers.randint(1, 40), numbers.randint(1, 40)
    density = numbers.random()
    yield f"type octile\nheight {height}\nwidth {width}\nmap"
    for _ in range(height):
        yield "".join(numbers.choice("@OTW" if numbers.random() < density else ".GS")
                      for _ in range(width))


def main():
    folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for seed in range(first, first + count):
        maker = Maker(seed)
        for _ in range(maker.random.randint(1, 30)):
            maker.add()
        size = maker.size
        with open(os.path.join(folder, f"scene_{seed}.wkt"), "w") as file:
            # A wall outside, so that every scene has an extent.
            print(f"LINESTRING ({-0.3 * size!r} 0.0, {-0.3 * size!r} {size!r})", file=file)
            print(*maker.lines(), sep="\n", file=file)
        with open(os.path.join(folder, f"grid_{seed}.map"), "w") as file:
            print(*make_grid(seed), sep="\n", file=file)


main()
