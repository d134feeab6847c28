// SPDX-License-Identifier: MIT
// The hooks (the only global state), names of statuses, and trigonometry that gives the same bits
// on every machine.

#ifdef __linux__
#define _DEFAULT_SOURCE // for madvise()
#endif

#include "nav_corridor/base.h"

#include "check.h"
#include "nav_corridor/math2d.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define STRINGIFY(x) #x
#define VERSION_STRING(major, minor, patch) \
	STRINGIFY(major) "." STRINGIFY(minor) "." STRINGIFY(patch)

// A new map touches some thousand pages for the first time, and the system takes longer to provide
// them one by one than we need to load a map. Large pages are provided 512 at a time. Where they
// are not to be had, the advice changes nothing.
#define MIN_ADVISED_SIZE ((size_t)2 << 20)

// A multiple of the size of small pages on every machine.
#define PAGE_ALIGNMENT ((uintptr_t)65536)

static void advise_large_pages(void* memory, size_t size)
{
#ifdef MADV_HUGEPAGE
	uintptr_t begin = ((uintptr_t)memory + PAGE_ALIGNMENT - 1) / PAGE_ALIGNMENT * PAGE_ALIGNMENT;
	uintptr_t end = ((uintptr_t)memory + size) / PAGE_ALIGNMENT * PAGE_ALIGNMENT;
	if (begin < end)
	{
		(void)madvise((void*)begin, end - begin, MADV_HUGEPAGE);
	}
#else
	(void)memory, (void)size;
#endif
}

// New large blocks begin with a large page. They are left to realloc() when they grow.
static void* allocate_block(void* memory, size_t size)
{
	if (memory != NULL || size < MIN_ADVISED_SIZE)
	{
		return realloc(memory, size);
	}
	size_t whole_pages = (size + MIN_ADVISED_SIZE - 1) / MIN_ADVISED_SIZE * MIN_ADVISED_SIZE;
	return whole_pages < size ? NULL : aligned_alloc(MIN_ADVISED_SIZE, whole_pages);
}

static void* allocate_by_default(void* context, void* memory, size_t old_size, size_t new_size)
{
	(void)context, (void)old_size;
	if (new_size == 0)
	{
		free(memory);
		return NULL;
	}
	void* block = allocate_block(memory, new_size);
	if (block != NULL && new_size >= MIN_ADVISED_SIZE)
	{
		advise_large_pages(block, new_size);
	}
	return block;
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
