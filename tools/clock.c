// SPDX-License-Identifier: MIT

// The time, for measuring how long something takes.

// For a clock that nobody sets back while we measure.
#define _POSIX_C_SOURCE 200809L

#include "clock.h"

#include <time.h>

double clock_get_milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}
