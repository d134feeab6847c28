// SPDX-License-Identifier: MIT
#pragma once

/// @return the time since some moment in the past, by a clock that nobody sets back
double clock_get_milliseconds(void);
