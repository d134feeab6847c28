// SPDX-License-Identifier: MIT
#pragma once

// The whole library.

#include "nav_corridor/base.h"
#include "nav_corridor/corridor.h"
#include "nav_corridor/map.h"
#include "nav_corridor/math2d.h"
#include "nav_corridor/neighbors.h"
#include "nav_corridor/query.h"
#include "nav_corridor/route.h"
#include "nav_corridor/steer.h"
#include "nav_corridor/terrain.h"
