// SPDX-License-Identifier: MIT
// The hooks, which are global state, names of statuses, and trigonometry that gives the same bits
// on every machine.

#include "nav_corridor/base.h"

#include "check.h"
#include "large_block.h"
#include "nav_corridor/math2d.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define STRINGIFY(x) #x
#define VERSION_STRING(major, minor, patch) \
	STRINGIFY(major) "." STRINGIFY(minor) "." STRINGIFY(patch)

static bool is_large(size_t size)
{
	return size >= NC_MIN_LARGE_BLOCK && nc_large_block_is_supported();
}

// Blocks that cross the border between small and large ones move.
static void* move_block(void* memory, size_t old_size, size_t new_size)
{
	void* block = is_large(new_size) ? nc_large_block_resize(NULL, 0, new_size) : malloc(new_size);
	if (block != NULL && memory != NULL)
	{
		memcpy(block, memory, old_size < new_size ? old_size : new_size);
		is_large(old_size) ? (void)nc_large_block_resize(memory, old_size, 0) : free(memory);
	}
	return block;
}

static void* allocate_by_default(void* context, void* memory, size_t old_size, size_t new_size)
{
	(void)context;
	bool was_large = is_large(old_size);
	if (was_large && (new_size == 0 || is_large(new_size)))
	{
		return nc_large_block_resize(memory, old_size, new_size);
	}
	if (was_large || is_large(new_size))
	{
		return move_block(memory, old_size, new_size);
	}
	if (new_size == 0)
	{
		free(memory);
		return NULL;
	}
	return realloc(memory, new_size);
}

static void abort_by_default(void* context, const char* condition, const char* file, int line)
{
	(void)context, (void)condition, (void)file, (void)line;
	abort();
}

static struct
{
	NcAllocFn* allocate;
	void* allocate_context;
	NcLogFn* log;
	void* log_context;
	NcAssertFn* report;
	void* report_context;
} hooks = {.allocate = allocate_by_default, .report = abort_by_default};

static atomic_size_t byte_count;

const char* nc_status_name(NcStatus status)
{
	static const char* const names[NC_STATUS_COUNT] = {
		[NC_OK] = "ok",
		[NC_INVALID_INPUT] = "invalid input",
		[NC_TOO_LARGE] = "too large",
		[NC_OUT_OF_MEMORY] = "out of memory",
		[NC_WRONG_FORMAT] = "wrong format",
		[NC_NO_DEVICE] = "no device",
		[NC_NOT_FOUND] = "not found",
	};
	return 0 <= (int)status && status < NC_STATUS_COUNT ? names[status] : "unknown status";
}

const char* nc_get_version(void)
{
	return VERSION_STRING(NC_VERSION_MAJOR, NC_VERSION_MINOR, NC_VERSION_PATCH);
}

void nc_set_allocator(NcAllocFn* function, void* context)
{
	hooks.allocate = function != NULL ? function : allocate_by_default;
	hooks.allocate_context = context;
}

void nc_set_log(NcLogFn* function, void* context)
{
	hooks.log = function;
	hooks.log_context = context;
}

void nc_set_assert(NcAssertFn* function, void* context)
{
	hooks.report = function != NULL ? function : abort_by_default;
	hooks.report_context = context;
}

void* nc_allocate(void* memory, size_t old_size, size_t new_size)
{
	if (memory == NULL && new_size == 0)
	{
		return NULL;
	}
	void* result = hooks.allocate(hooks.allocate_context, memory, old_size, new_size);
	if (result != NULL || new_size == 0)
	{
		// Unsigned numbers wrap around, so the difference is right even when it is negative.
		atomic_fetch_add_explicit(&byte_count, new_size - old_size, memory_order_relaxed);
	}
	return result;
}

size_t nc_get_byte_count(void)
{
	return atomic_load_explicit(&byte_count, memory_order_relaxed);
}

void nc_report_assert(const char* condition, const char* file, int line)
{
	hooks.report(hooks.report_context, condition, file, line);
}

void nc_log(const char* message)
{
	if (hooks.log != NULL)
	{
		hooks.log(hooks.log_context, message);
	}
}

// Trigonometry. Only + - * / and sqrt are the same everywhere, so these are Taylor series after a
// reduction that makes them short.

#define PI 3.14159265358979323846

// Half of pi as the sum of two numbers: the first has few bits, so that multiples of it are exact.
#define HALF_PI_HIGH 1.5707963267341256
#define HALF_PI_LOW 6.077100506506192e-11

// atan(t) for |t| <= tan(pi/16) < 0.2: t - t^3/3 + t^5/5 ...; the next term is below 1e-17.
static double compute_small_atan(double t)
{
	double tt = t * t;
	double sum = 0.0;
	for (int n = 21; n >= 1; n -= 2)
	{
		sum = 1.0 / n - tt * sum;
	}
	return t * sum;
}

double nc_atan2(double y, double x)
{
	double ax = fabs(x);
	double ay = fabs(y);
	if (!(ax > 0.0) && !(ay > 0.0))
	{
		return 0.0;
	}

	// The angle in the first octant, halved twice: tan(a/2) = t / (1 + sqrt(1 + t^2)).
	double t = ax > ay ? ay / ax : ax / ay;
	t = t / (1.0 + sqrt(1.0 + t * t));
	t = t / (1.0 + sqrt(1.0 + t * t));
	double angle = 4.0 * compute_small_atan(t);

	angle = ax > ay ? angle : 0.5 * PI - angle;
	angle = x < 0.0 ? PI - angle : angle;
	return y < 0.0 ? -angle : angle;
}

NcVec2 nc_direction(double angle)
{
	if (!isfinite(angle))
	{
		return (NcVec2){1.0, 0.0};
	}
	double turns = floor(angle / (0.5 * PI) + 0.5);
	double a = (angle - turns * HALF_PI_HIGH) - turns * HALF_PI_LOW;
	double aa = a * a;

	// |a| <= pi/4: the terms beyond a^18/18! are below 1e-18.
	double sine = 0.0;
	double cosine = 0.0;
	for (int n = 18; n >= 2; n -= 2)
	{
		cosine = 1.0 - aa / ((double)n * (n - 1)) * (n == 18 ? 1.0 : cosine);
		sine = 1.0 - aa / ((double)n * (n + 1)) * (n == 18 ? 1.0 : sine);
	}
	sine *= a;

	switch ((int)(turns - 4.0 * floor(turns / 4.0)))
	{
	case 0:
		return (NcVec2){cosine, sine};
	case 1:
		return (NcVec2){-sine, cosine};
	case 2:
		return (NcVec2){-cosine, -sine};
	default:
		return (NcVec2){sine, -cosine};
	}
}
