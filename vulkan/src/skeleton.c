// SPDX-License-Identifier: MIT

// The skeleton in the labels of a field. The samples of each chunk are found by a device or by the
// processor (the first half of this file, which does what shaders/extract.comp does), and linked
// into edges by the corners of pixels that they share.
//
// This work is based on:
// Geraerts, Overmars. Enhancing Corridor Maps for Real-Time Path Planning in Virtual Environments.
// 2008

#include "extract.h"

#include "chain.h"
#include "grow.h"

#include <assert.h>
#include <string.h>

// What the sum of two feet must be beyond a common corner to be more than rounding, in pixels.
#define MIN_BEYOND 1e-3f

// How long a convex chain between the closest points of a sample can be, in pixels: closest points
// on a convex chain move by no more than their pixels' centres, which are a pixel apart, and those
// of the sample, half way between, by half a pixel each.
#define MAX_CHAIN_LENGTH 2.0

// Finding samples.

static float compute_beyond(const NcMeshSite* s, float vx, float vy, float x, float y)
{
	float from_v_x = x - vx;
	float from_v_y = y - vy;
	float beyond = from_v_x * s->ux + from_v_y * s->uy;
	return s->ax == vx && s->ay == vy ? beyond : -beyond;
}

static bool ends_in(const NcMeshSite* s, float x, float y)
{
	return (s->ax == x && s->ay == y) || (s->bx == x && s->by == y);
}

static bool is_skeleton_at_corner(
	const NcMeshSite* s, const NcMeshSite* t, float vx, float vy, float x, float y)
{
	float sum = compute_beyond(s, vx, vy, x, y) + compute_beyond(t, vx, vy, x, y);
	return sum > MIN_BEYOND;
}

static bool is_between(const NcMeshSite* s, float x0, float y0, float x1, float y1)
{
	bool is_left = nc_mesh_height(s->ux, s->uy, s->offset, x0, y0) < 0.0f;
	if ((nc_mesh_height(s->ux, s->uy, s->offset, x1, y1) < 0.0f) == is_left)
	{
		return false;
	}
	float x = 0.5f * (x0 + x1);
	float y = 0.5f * (y0 + y1);
	float beyond_a = (x - s->ax) * s->ux + (y - s->ay) * s->uy;
	float beyond_b = (x - s->bx) * s->ux + (y - s->by) * s->uy;
	return beyond_a > 0.0f && beyond_b < 0.0f;
}

// Whether the skeleton passes between the pixels (x0, y0) and (x1, y1), which are neighbours.
static bool is_skeleton(const NcExtractChunk* chunk, int x0, int y0, int x1, int y1)
{
	uint32_t a = chunk->labels[y0 * NC_EXTRACT_STRIDE + x0];
	uint32_t b = chunk->labels[y1 * NC_EXTRACT_STRIDE + x1];
	if (a == b || ((a | b) & NC_FIELD_BLOCKED) != 0)
	{
		return false;
	}
	const NcMeshSite* s = &chunk->sites[a];
	const NcMeshSite* t = &chunk->sites[b];
	float from_x = (float)x0 + 0.5f;
	float from_y = (float)y0 + 0.5f;
	float to_x = (float)x1 + 0.5f;
	float to_y = (float)y1 + 0.5f;
	if (is_between(s, from_x, from_y, to_x, to_y) || is_between(t, from_x, from_y, to_x, to_y))
	{
		return false;
	}
	float x = 0.5f * (from_x + to_x);
	float y = 0.5f * (from_y + to_y);
	if (ends_in(t, s->ax, s->ay))
	{
		return is_skeleton_at_corner(s, t, s->ax, s->ay, x, y);
	}
	if (ends_in(t, s->bx, s->by))
	{
		return is_skeleton_at_corner(s, t, s->bx, s->by, x, y);
	}
	return true;
}

static void compute_foot(const NcMeshSite* s, float x, float y, float* foot_x, float* foot_y)
{
	float beyond_a = (x - s->ax) * s->ux + (y - s->ay) * s->uy;
	float beyond_b = (x - s->bx) * s->ux + (y - s->by) * s->uy;
	*foot_x = beyond_a <= 0.0f ? s->ax : beyond_b >= 0.0f ? s->bx : s->ax + beyond_a * s->ux;
	*foot_y = beyond_a <= 0.0f ? s->ay : beyond_b >= 0.0f ? s->by : s->ay + beyond_a * s->uy;
}

static uint32_t get_label(const NcExtractChunk* chunk, int x, int y)
{
	return chunk->labels[y * NC_EXTRACT_STRIDE + x];
}

static bool is_skeleton_beside(const NcExtractChunk* chunk, int x, int y)
{
	return is_skeleton(chunk, x, y, x + 1, y);
}

static bool is_skeleton_above(const NcExtractChunk* chunk, int x, int y)
{
	return is_skeleton(chunk, x, y, x, y + 1);
}

static NcExtractSample make_sample(const NcExtractChunk* chunk, int x, int y, int kind)
{
	NcExtractSample sample = {.x = x, .y = y, .kind = kind};
	if (kind == NC_SAMPLE_VERTEX)
	{
		return sample;
	}
	bool is_upright = kind == NC_SAMPLE_UPRIGHT;
	sample.left = is_upright ? get_label(chunk, x, y) : get_label(chunk, x, y + 1);
	sample.right = is_upright ? get_label(chunk, x + 1, y) : get_label(chunk, x, y);
	float px = is_upright ? (float)(x + 1) : (float)x + 0.5f;
	float py = is_upright ? (float)y + 0.5f : (float)(y + 1);
	compute_foot(&chunk->sites[sample.left], px, py, &sample.left_x, &sample.left_y);
	compute_foot(&chunk->sites[sample.right], px, py, &sample.right_x, &sample.right_y);
	return sample;
}

static bool add_samples_of_pixel(NcExtractChunk* chunk, int x, int y)
{
	uint32_t label = get_label(chunk, x, y);
	if (get_label(chunk, x + 1, y) == label && get_label(chunk, x, y + 1) == label &&
		get_label(chunk, x + 1, y + 1) == label)
	{
		return true;
	}
	bool has[3] = {is_skeleton_beside(chunk, x, y), is_skeleton_above(chunk, x, y), false};
	has[NC_SAMPLE_VERTEX] = has[0] + has[1] + is_skeleton_beside(chunk, x, y + 1) +
								is_skeleton_above(chunk, x + 1, y) >=
							3;
	if (!nc_grow((void**)&chunk->samples, &chunk->sample_capacity, sizeof(NcExtractSample),
			chunk->sample_count + 3LL))
	{
		return false;
	}
	for (int kind = 0; kind < 3; ++kind)
	{
		if (has[kind])
		{
			chunk->samples[chunk->sample_count++] = make_sample(chunk, x, y, kind);
		}
	}
	return true;
}

bool nc_extract_on_cpu(void* context, NcExtractChunk* chunk)
{
	(void)context;
	chunk->sample_count = 0;
	for (int y = 0; y < NC_MESH_CHUNK_SIZE; ++y)
	{
		for (int x = 0; x < NC_MESH_CHUNK_SIZE; ++x)
		{
			if (!add_samples_of_pixel(chunk, x, y))
			{
				return false;
			}
		}
	}
	return true;
}

// Linking. Samples are found by the corners of pixels in which they begin and end.

#define MAX_DEGREE 4

typedef struct Corner
{
	int x, y;
	int degree; // 0: the slot is empty
	int samples[MAX_DEGREE];
	int vertex; // or NC_NULL_INDEX
} Corner;

// A sample before it has its place in an edge.
typedef struct RawSample
{
	NcSkeletonSample sample;
	int corners[2]; // slots; left and right are those of the walk from the first to the second
	int x[2], y[2];
	bool is_used;
} RawSample;

typedef struct Linker
{
	const NcFieldDef* def;
	const uint32_t* labels;
	NcSkeleton* skeleton;
	RawSample* raws;
	int raw_count, raw_capacity;
	Corner* corners; // a hash table; its size is a power of two
	int corner_capacity;
	NcChains chains; // made for the first sample that needs it
} Linker;

static NcVec2 to_world(const NcFieldDef* def, double x, double y)
{
	return nc_mul_add(def->lower, def->pixel_size, (NcVec2){x, y});
}

static RawSample make_raw(
	const Linker* linker, const NcExtractChunk* chunk, const NcExtractSample* s)
{
	bool is_upright = s->kind == NC_SAMPLE_UPRIGHT;
	int x = chunk->x + s->x;
	int y = chunk->y + s->y;
	RawSample raw = {
		.x = {is_upright ? x + 1 : x, x + 1},
		.y = {is_upright ? y : y + 1, y + 1},
	};
	NcVec2 p = to_world(linker->def, 0.5 * (raw.x[0] + raw.x[1]), 0.5 * (raw.y[0] + raw.y[1]));
	raw.sample = (NcSkeletonSample){
		.position = p,
		.left = to_world(linker->def, chunk->x + (double)s->left_x, chunk->y + (double)s->left_y),
		.right =
			to_world(linker->def, chunk->x + (double)s->right_x, chunk->y + (double)s->right_y),
		.left_site = s->left,
		.right_site = s->right,
	};
	raw.sample.clearance =
		nc_min(nc_distance(p, raw.sample.left), nc_distance(p, raw.sample.right));
	return raw;
}

static bool make_chains(Linker* linker)
{
	const NcFieldDef* def = linker->def;
	return linker->chains.sites != NULL ||
		   nc_chains_make(&linker->chains, def->sites, def->site_count);
}

static bool add_raw(Linker* linker, const NcExtractChunk* chunk, const NcExtractSample* s)
{
	if (s->kind == NC_SAMPLE_VERTEX)
	{
		return true; // The corners say so again when all chunks are together.
	}
	RawSample raw = make_raw(linker, chunk, s);
	double max_length = MAX_CHAIN_LENGTH * linker->def->pixel_size;
	bool is_chain_possible = nc_distance(raw.sample.left, raw.sample.right) <= max_length;
	if ((is_chain_possible && !make_chains(linker)) ||
		!nc_grow((void**)&linker->raws, &linker->raw_capacity, sizeof(RawSample),
			linker->raw_count + 1LL))
	{
		return false;
	}
	if (!is_chain_possible ||
		!nc_chains_is_convex(&linker->chains, s->left, s->right, raw.sample.position, max_length))
	{
		linker->raws[linker->raw_count++] = raw;
	}
	return true;
}

static int find_corner(const Linker* linker, int x, int y)
{
	uint32_t mask = (uint32_t)linker->corner_capacity - 1;
	uint32_t slot = ((uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u) & mask;
	while (linker->corners[slot].degree != 0 &&
		   (linker->corners[slot].x != x || linker->corners[slot].y != y))
	{
		slot = (slot + 1) & mask;
	}
	return (int)slot;
}

static bool make_corners(Linker* linker)
{
	int capacity = 16;
	while (capacity < 4LL * linker->raw_count && capacity < INT_MAX / 4)
	{
		capacity *= 2;
	}
	linker->corners = nc_allocate(NULL, 0, sizeof(Corner) * (size_t)capacity);
	if (linker->corners == NULL)
	{
		return false;
	}
	linker->corner_capacity = capacity;
	memset(linker->corners, 0, sizeof(Corner) * (size_t)capacity);
	for (int i = 0; i < linker->raw_count; ++i)
	{
		RawSample* raw = &linker->raws[i];
		for (int end = 0; end < 2; ++end)
		{
			int slot = find_corner(linker, raw->x[end], raw->y[end]);
			Corner* corner = &linker->corners[slot];
			corner->x = raw->x[end];
			corner->y = raw->y[end];
			corner->samples[corner->degree++] = i;
			corner->vertex = NC_NULL_INDEX;
			raw->corners[end] = slot;
		}
	}
	return true;
}

static uint32_t get_picture_label(const Linker* linker, int x, int y)
{
	const NcFieldDef* def = linker->def;
	bool is_inside = 0 <= x && x < def->width && 0 <= y && y < def->height;
	return is_inside ? linker->labels[(size_t)y * (size_t)def->width + (size_t)x]
					 : NC_FIELD_BLOCKED;
}

static NcSkeletonVertex make_vertex(const Linker* linker, const Corner* corner)
{
	NcSkeletonVertex vertex = {
		.x = corner->x,
		.y = corner->y,
		.position = to_world(linker->def, corner->x, corner->y),
		.edge_count = corner->degree,
	};
	for (int i = 0; i < NC_SKELETON_MAX_SITES; ++i)
	{
		uint32_t label = get_picture_label(linker, corner->x - 1 + i % 2, corner->y - 1 + i / 2);
		bool is_new = (label & NC_FIELD_BLOCKED) == 0;
		for (int k = 0; k < vertex.site_count; ++k)
		{
			is_new = is_new && vertex.sites[k] != label;
		}
		if (is_new)
		{
			const NcFieldSite* site = &linker->def->sites[label];
			vertex.points[vertex.site_count] =
				nc_closest_on_segment(vertex.position, site->a, site->b);
			vertex.sites[vertex.site_count++] = label;
		}
	}
	return vertex;
}

static bool add_vertices(Linker* linker)
{
	NcSkeleton* skeleton = linker->skeleton;
	for (int i = 0; i < 2 * linker->raw_count; ++i)
	{
		// In the order of the samples, so that the hash does not show.
		Corner* corner = &linker->corners[linker->raws[i / 2].corners[i % 2]];
		if (corner->degree == 2 || corner->vertex != NC_NULL_INDEX)
		{
			continue;
		}
		if (!nc_grow((void**)&skeleton->vertices, &skeleton->vertex_capacity,
				sizeof(NcSkeletonVertex), skeleton->vertex_count + 1LL))
		{
			return false;
		}
		corner->vertex = skeleton->vertex_count;
		skeleton->vertices[skeleton->vertex_count++] = make_vertex(linker, corner);
	}
	return true;
}

// Append a sample, as seen when it is entered at one of its ends. Returns the slot of the corner at
// the other end. There is room: no sample is used twice.
static int append_sample(Linker* linker, int index, int from)
{
	RawSample* raw = &linker->raws[index];
	NcSkeletonSample sample = raw->sample;
	bool is_forward = raw->corners[0] == from;
	if (!is_forward)
	{
		sample.left = raw->sample.right;
		sample.right = raw->sample.left;
		sample.left_site = raw->sample.right_site;
		sample.right_site = raw->sample.left_site;
	}
	raw->is_used = true;
	linker->skeleton->samples[linker->skeleton->sample_count++] = sample;
	return raw->corners[is_forward ? 1 : 0];
}

// Walk from a corner along a sample until the next vertex, or back to where the loop began.
static bool add_edge(Linker* linker, int from, int index)
{
	NcSkeleton* skeleton = linker->skeleton;
	if (!nc_grow((void**)&skeleton->edges, &skeleton->edge_capacity, sizeof(NcSkeletonEdge),
			skeleton->edge_count + 1LL))
	{
		return false;
	}
	int first = skeleton->sample_count;
	int corner = from;
	while (index != NC_NULL_INDEX)
	{
		corner = append_sample(linker, index, corner);
		index = NC_NULL_INDEX;
		const Corner* at = &linker->corners[corner];
		for (int i = 0; i < at->degree && at->vertex == NC_NULL_INDEX; ++i)
		{
			index = linker->raws[at->samples[i]].is_used ? index : at->samples[i];
		}
	}
	skeleton->edges[skeleton->edge_count++] = (NcSkeletonEdge){
		.vertices = {linker->corners[from].vertex, linker->corners[corner].vertex},
		.first_sample = first,
		.sample_count = skeleton->sample_count - first,
	};
	return true;
}

// First the edges that begin in a vertex, then the loops that are left.
static bool add_edges(Linker* linker)
{
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < 2 * linker->raw_count; ++i)
		{
			RawSample* raw = &linker->raws[i / 2];
			int corner = raw->corners[i % 2];
			bool is_start = pass == 1 || linker->corners[corner].vertex != NC_NULL_INDEX;
			if (!raw->is_used && is_start && !add_edge(linker, corner, i / 2))
			{
				return false;
			}
		}
	}
	return true;
}

static bool link(Linker* linker)
{
	NcSkeleton* skeleton = linker->skeleton;
	return linker->raw_count == 0 ||
		   (make_corners(linker) &&
			   nc_grow((void**)&skeleton->samples, &skeleton->sample_capacity,
				   sizeof(NcSkeletonSample), linker->raw_count) &&
			   add_vertices(linker) && add_edges(linker));
}

// Chunks.

static void fill_labels(const Linker* linker, NcExtractChunk* chunk)
{
	for (int y = 0; y < NC_EXTRACT_STRIDE; ++y)
	{
		for (int x = 0; x < NC_EXTRACT_STRIDE; ++x)
		{
			chunk->labels[y * NC_EXTRACT_STRIDE + x] =
				get_picture_label(linker, chunk->x + x, chunk->y + y);
		}
	}
}

static bool extract_chunk(
	Linker* linker, NcExtractChunk* chunk, NcExtractFn* extract, void* context)
{
	for (int i = 0; i < linker->def->site_count; ++i)
	{
		if (!linker->def->sites[i].is_gap)
		{
			chunk->sites[i] = nc_mesh_site_convert(linker->def, chunk->x, chunk->y, i);
		}
	}
	fill_labels(linker, chunk);
	if (!extract(context, chunk))
	{
		return false;
	}
	for (int i = 0; i < chunk->sample_count; ++i)
	{
		if (!add_raw(linker, chunk, &chunk->samples[i]))
		{
			return false;
		}
	}
	return true;
}

static bool extract_all(Linker* linker, NcExtractFn* extract, void* context)
{
	const NcFieldDef* def = linker->def;
	size_t site_bytes = sizeof(NcMeshSite) * (size_t)def->site_count;
	size_t label_bytes = sizeof(uint32_t) * NC_EXTRACT_LABEL_COUNT;
	NcExtractChunk chunk = {
		.sites = nc_allocate(NULL, 0, site_bytes),
		.labels = nc_allocate(NULL, 0, label_bytes),
		.site_count = def->site_count,
	};
	bool is_done = chunk.sites != NULL && chunk.labels != NULL;
	if (is_done)
	{
		memset(chunk.sites, 0, site_bytes);
	}
	for (int y = 0; is_done && y < def->height; y += NC_MESH_CHUNK_SIZE)
	{
		for (int x = 0; is_done && x < def->width; x += NC_MESH_CHUNK_SIZE)
		{
			chunk.x = x;
			chunk.y = y;
			is_done = extract_chunk(linker, &chunk, extract, context);
		}
	}
	nc_allocate(chunk.sites, chunk.sites != NULL ? site_bytes : 0, 0);
	nc_allocate(chunk.labels, chunk.labels != NULL ? label_bytes : 0, 0);
	nc_grow_free((void**)&chunk.samples, &chunk.sample_capacity, sizeof(NcExtractSample));
	return is_done;
}

static bool run(const NcFieldDef* def, const uint32_t* labels, NcSkeleton* skeleton,
	NcExtractFn* extract, void* context)
{
	Linker linker = {.def = def, .labels = labels, .skeleton = skeleton};
	bool is_done =
		def->site_count == 0 || (extract_all(&linker, extract, context) && link(&linker));
	nc_grow_free((void**)&linker.raws, &linker.raw_capacity, sizeof(RawSample));
	nc_allocate(linker.corners, sizeof(Corner) * (size_t)linker.corner_capacity, 0);
	nc_chains_free(&linker.chains);
	if (!is_done)
	{
		nc_skeleton_free(skeleton);
	}
	return is_done;
}

NcStatus nc_skeleton_extract(
	NcGpu* gpu, const NcFieldDef* def, const uint32_t* labels, NcSkeleton* skeleton, NcError* error)
{
	assert(def != NULL && labels != NULL && skeleton != NULL);
	nc_skeleton_free(skeleton);
	if (gpu != NULL && !gpu->vk.is_lost)
	{
		NcExtractJob job = {.gpu = gpu};
		bool is_done = run(def, labels, skeleton, nc_extract_on_device, &job);
		nc_extract_job_destroy(&job);
		if (is_done)
		{
			skeleton->is_from_device = true;
			return NC_OK;
		}
	}
	if (gpu != NULL)
	{
		nc_log("the Vulkan device failed; the processor extracts the skeleton");
	}
	return run(def, labels, skeleton, nc_extract_on_cpu, NULL)
			   ? NC_OK
			   : nc_vk_set_error(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "out of memory");
}

void nc_skeleton_free(NcSkeleton* skeleton)
{
	nc_grow_free((void**)&skeleton->samples, &skeleton->sample_capacity, sizeof(NcSkeletonSample));
	nc_grow_free((void**)&skeleton->vertices, &skeleton->vertex_capacity, sizeof(NcSkeletonVertex));
	nc_grow_free((void**)&skeleton->edges, &skeleton->edge_capacity, sizeof(NcSkeletonEdge));
	*skeleton = (NcSkeleton){0};
}
