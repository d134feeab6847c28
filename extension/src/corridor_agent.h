// SPDX-License-Identifier: MIT
#pragma once

// class CorridorAgent: Node, moves its Node2D or Node3D parent through a corridor map.

#include "agent.h"

void corridor_agent_register(void);
