// SPDX-License-Identifier: MIT

// Distance fields: checking, cutting into chunks, and what both ways of computing have in common.
// See field_chunk.h for how the work is divided.
//
// The sites of a chunk are found as those of a tile (see shaders/cull.comp), on the host and in
// double precision: the ones that can be nearest to any point of it. Areas need more: whether a
// pixel is inside depends on all borders in its row. Those that lie left of the chunk only change
// the cover with which its rows begin, which costs two additions each.
//
// This work is based on:
// Hoff, Culver, Keyser, Lin, Manocha. Fast Computation of Generalized Voronoi Diagrams Using
// Graphics Hardware. 1999

#include "field_chunk.h"

#include "grow.h"
#include "vk.h"

#include <assert.h>
#include <string.h>

#define FIELD_DEF_COOKIE 0x666c6431

// Farther away, squares of distances and the offsets of lines would lose their precision.
#define MAX_PIXEL_DISTANCE 1099511627776.0 // 2^40

// In world units. Within these, every distance of a usable site fits into a float.
#define MIN_PIXEL_SIZE 1e-20
#define MAX_PIXEL_SIZE 1e20

// What is added to a distance that decides about candidates: far above all rounding errors.
#define CANDIDATE_SLACK 0.05          // in pixels
#define CANDIDATE_RELATIVE_SLACK 1e-5 // of the distance

#define LEAF_LEVEL (NC_MESH_LEVEL_COUNT - 1)
#define LEAVES_PER_SIDE (NC_MESH_CHUNK_SIZE / NC_MESH_TILE_SIZE)

_Static_assert(NC_FIELD_TILE_SIZE == NC_MESH_TILE_SIZE, "the same tiles");

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static NcVec2 to_pixels(const NcFieldDef* def, NcVec2 point)
{
	return nc_scale(1.0 / def->pixel_size, nc_sub(point, def->lower));
}

// Checking.

static NcStatus check_picture(const NcFieldDef* def, NcError* error)
{
	if (def->width < 1 || def->height < 1)
	{
		return nc_vk_set_error(error, NC_INVALID_INPUT, NC_NULL_INDEX, "the picture has no pixels");
	}
	if (!nc_is_finite(def->lower) || !(def->pixel_size >= MIN_PIXEL_SIZE) ||
		!(def->pixel_size <= MAX_PIXEL_SIZE))
	{
		return nc_vk_set_error(error, NC_INVALID_INPUT, NC_NULL_INDEX,
			"the picture's corner or pixel size is not a usable number");
	}
	if (def->site_count >= (int)NC_FIELD_NO_SITE)
	{
		return nc_vk_set_error(error, NC_TOO_LARGE, NC_NULL_INDEX, "there are too many sites");
	}
	return NC_OK;
}

static bool is_near(NcVec2 pixel)
{
	return fabs(pixel.x) <= MAX_PIXEL_DISTANCE && fabs(pixel.y) <= MAX_PIXEL_DISTANCE;
}

static NcStatus check_sites(const NcFieldDef* def, NcError* error)
{
	for (int i = 0; i < def->site_count; ++i)
	{
		const NcFieldSite* site = &def->sites[i];
		if (site->is_gap)
		{
			continue;
		}
		if (!nc_is_finite(site->a) || !nc_is_finite(site->b))
		{
			return nc_vk_set_error(
				error, NC_INVALID_INPUT, i, "a coordinate of a site is not a number");
		}
		if (!is_near(to_pixels(def, site->a)) || !is_near(to_pixels(def, site->b)))
		{
			return nc_vk_set_error(
				error, NC_INVALID_INPUT, i, "a site is too many pixels away from the picture");
		}
	}
	return NC_OK;
}

// The sites of a chunk.

NcMeshSite nc_mesh_site_convert(const NcFieldDef* def, int x, int y, int site)
{
	NcVec2 corner = {x, y};
	NcVec2 a = nc_sub(to_pixels(def, def->sites[site].a), corner);
	NcVec2 b = nc_sub(to_pixels(def, def->sites[site].b), corner);
	NcVec2 u = nc_normalize(nc_sub(b, a));
	return (NcMeshSite){
		.ax = (float)a.x,
		.ay = (float)a.y,
		.bx = (float)b.x,
		.by = (float)b.y,
		.ux = (float)u.x,
		.uy = (float)u.y,
		// The height of p above the line is u x (p - a) = u x p - u x a.
		.offset = (float)-nc_cross(u, a),
		.id = (uint32_t)site,
	};
}

static double compute_distance(const NcFieldDef* def, int site, NcVec2 p)
{
	return nc_distance(p, nc_closest_on_segment(p, def->sites[site].a, def->sites[site].b));
}

static bool collect_sites(const NcFieldDef* def, NcFieldChunk* chunk)
{
	NcVec2 half = {0.5 * chunk->width * def->pixel_size, 0.5 * chunk->height * def->pixel_size};
	NcVec2 center = nc_add(def->lower,
		(NcVec2){chunk->x * def->pixel_size + half.x, chunk->y * def->pixel_size + half.y});
	double nearest = HUGE_VAL;
	for (int i = 0; i < def->site_count; ++i)
	{
		if (!def->sites[i].is_gap)
		{
			nearest = nc_min(nearest, compute_distance(def, i, center));
		}
	}

	double diagonal = 2.0 * nc_length(half);
	double limit = nearest * (1.0 + CANDIDATE_RELATIVE_SLACK) + diagonal * 1.001 +
				   CANDIDATE_SLACK * def->pixel_size;
	chunk->max_distance = limit / def->pixel_size;
	chunk->site_count = 0;
	for (int i = 0; i < def->site_count; ++i)
	{
		if (def->sites[i].is_gap || !(compute_distance(def, i, center) <= limit))
		{
			continue;
		}
		if (!nc_grow((void**)&chunk->sites, &chunk->site_capacity, sizeof(NcMeshSite),
				chunk->site_count + 1LL))
		{
			return false;
		}
		chunk->sites[chunk->site_count++] = nc_mesh_site_convert(def, chunk->x, chunk->y, i);
	}
	return true;
}

// The borders of areas.

// The first row whose centre is at y or above, within the chunk.
static int find_row(float y)
{
	double row = ceil((double)y - 0.5);
	return (int)nc_clamp(row, 0.0, NC_MESH_CHUNK_SIZE);
}

static bool add_edge(NcFieldChunk* chunk, const NcMeshSite* site, int winding)
{
	bool is_upward = site->ay < site->by;
	NcMeshEdge edge = {
		.ay = is_upward ? site->ay : site->by,
		.by = is_upward ? site->by : site->ay,
		.ux = is_upward ? site->ux : -site->ux,
		.uy = is_upward ? site->uy : -site->uy,
		.offset = is_upward ? site->offset : -site->offset,
		.change = is_upward ? -winding : winding,
	};
	if (!(edge.ay < edge.by) || !(edge.uy > 0.0f) || edge.by <= 0.0f ||
		edge.ay > (float)chunk->height || fminf(site->ax, site->bx) > (float)chunk->width)
	{
		return true; // No row of the chunk sees it.
	}

	chunk->has_areas = true;
	if (fmaxf(site->ax, site->bx) < -1.0f)
	{
		chunk->cover[find_row(edge.ay)] += edge.change;
		chunk->cover[find_row(edge.by)] -= edge.change;
		return true;
	}
	if (!nc_grow((void**)&chunk->edges, &chunk->edge_capacity, sizeof(NcMeshEdge),
			chunk->edge_count + 1LL))
	{
		return false;
	}
	chunk->edges[chunk->edge_count++] = edge;
	return true;
}

static bool collect_edges(const NcFieldDef* def, NcFieldChunk* chunk)
{
	chunk->edge_count = 0;
	chunk->has_areas = def->outer_cover != 0;
	memset(chunk->cover, 0, sizeof(chunk->cover));
	chunk->cover[0] = def->outer_cover;
	for (int i = 0; i < def->site_count; ++i)
	{
		if (def->sites[i].is_gap || def->sites[i].winding == 0)
		{
			continue;
		}
		NcMeshSite site = nc_mesh_site_convert(def, chunk->x, chunk->y, i);
		if (!add_edge(chunk, &site, def->sites[i].winding))
		{
			return false;
		}
	}

	// Up to here the rows have the changes of cover from row to row.
	for (int row = 1; row < NC_MESH_CHUNK_SIZE; ++row)
	{
		chunk->cover[row] += chunk->cover[row - 1];
	}
	return true;
}

// Tiles.

// Which tiles of a level are to be computed: the smallest ones by asking, the others by their
// parts.
typedef struct ActiveTiles
{
	uint8_t leaves[LEAVES_PER_SIDE * LEAVES_PER_SIDE];
} ActiveTiles;

static bool is_active(const ActiveTiles* active, int x, int y, int size)
{
	int begin_x = x / NC_MESH_TILE_SIZE;
	int begin_y = y / NC_MESH_TILE_SIZE;
	int count = size / NC_MESH_TILE_SIZE;
	for (int j = begin_y; j < begin_y + count; ++j)
	{
		if (memchr(&active->leaves[j * LEAVES_PER_SIDE + begin_x], 1, (size_t)count) != NULL)
		{
			return true;
		}
	}
	return false;
}

// Mark the tiles from pixel (x0, y0) to pixel (x1, y1) of the chunk, both included.
static void activate(ActiveTiles* active, int x0, int y0, int x1, int y1)
{
	for (int j = y0 / NC_MESH_TILE_SIZE; j <= y1 / NC_MESH_TILE_SIZE; ++j)
	{
		int begin = x0 / NC_MESH_TILE_SIZE;
		int end = x1 / NC_MESH_TILE_SIZE + 1;
		memset(&active->leaves[j * LEAVES_PER_SIDE + begin], 1, (size_t)(end - begin));
	}
}

static void activate_dirty(const NcFieldDef* def, const NcFieldChunk* chunk, ActiveTiles* active)
{
	memset(active, 0, sizeof(*active));
	if (def->dirty_boxes == NULL)
	{
		activate(active, 0, 0, chunk->width - 1, chunk->height - 1);
		return;
	}
	for (int i = 0; i < def->dirty_box_count; ++i)
	{
		// A pixel more on each side, for what rounding moves across the border of a box.
		NcVec2 corner = {chunk->x, chunk->y};
		NcVec2 lower = nc_sub(to_pixels(def, def->dirty_boxes[i].lower), corner);
		NcVec2 upper = nc_sub(to_pixels(def, def->dirty_boxes[i].upper), corner);
		double x0 = nc_max(floor(lower.x) - 1.0, 0.0);
		double y0 = nc_max(floor(lower.y) - 1.0, 0.0);
		double x1 = nc_min(floor(upper.x) + 1.0, chunk->width - 1);
		double y1 = nc_min(floor(upper.y) + 1.0, chunk->height - 1);
		if (x0 <= x1 && y0 <= y1)
		{
			activate(active, (int)x0, (int)y0, (int)x1, (int)y1);
		}
	}
}

static bool add_tile(NcFieldChunk* chunk, NcMeshTile tile)
{
	if (!nc_grow((void**)&chunk->tiles, &chunk->tile_capacity, sizeof(NcMeshTile),
			chunk->tile_count + 1LL) ||
		!nc_grow((void**)&chunk->first_children, &chunk->first_child_capacity, sizeof(int),
			chunk->tile_count + 2LL))
	{
		return false;
	}
	chunk->tiles[chunk->tile_count++] = tile;
	return true;
}

static bool add_children(NcFieldChunk* chunk, const ActiveTiles* active, int parent, int level)
{
	int parent_size = nc_mesh_tile_size(level - 1);
	int size = nc_mesh_tile_size(level);
	int x0 = chunk->tiles[parent].x;
	int y0 = chunk->tiles[parent].y;
	chunk->first_children[parent] = chunk->tile_count;
	for (int y = y0; y < y0 + parent_size; y += size)
	{
		for (int x = x0; x < x0 + parent_size; x += size)
		{
			NcMeshTile tile = {.x = x, .y = y, .parent = (uint32_t)parent};
			if (is_active(active, x, y, size) && !add_tile(chunk, tile))
			{
				return false;
			}
		}
	}
	return true;
}

// List the tiles of all levels. Without active ones there are no leaves.
static bool list_tiles(const NcFieldDef* def, NcFieldChunk* chunk)
{
	ActiveTiles active;
	activate_dirty(def, chunk, &active);
	chunk->tile_count = 0;
	if (!add_tile(chunk, (NcMeshTile){.count = (uint32_t)chunk->site_count}))
	{
		return false;
	}
	chunk->level_begins[0] = 0;
	for (int level = 1; level < NC_MESH_LEVEL_COUNT; ++level)
	{
		chunk->level_begins[level] = chunk->tile_count;
		for (int i = chunk->level_begins[level - 1]; i < chunk->level_begins[level]; ++i)
		{
			if (!add_children(chunk, &active, i, level))
			{
				return false;
			}
		}
	}
	chunk->level_begins[NC_MESH_LEVEL_COUNT] = chunk->tile_count;
	for (int i = chunk->level_begins[LEAF_LEVEL]; i <= chunk->tile_count; ++i)
	{
		chunk->first_children[i] = chunk->tile_count;
	}
	return true;
}

// Results.

void nc_field_store_pixels(NcFieldJob* job, const NcMeshTile* tile, const NcMeshPixel* pixels)
{
	const NcFieldDef* def = job->def;
	const NcFieldChunk* chunk = &job->chunk;
	int x1 = min_int(tile->x + NC_MESH_TILE_SIZE, chunk->width);
	int y1 = min_int(tile->y + NC_MESH_TILE_SIZE, chunk->height);
	for (int y = tile->y; y < y1; ++y)
	{
		size_t row = (size_t)(chunk->y + y) * (size_t)def->width + (size_t)chunk->x;
		const NcMeshPixel* source = pixels + y * NC_MESH_CHUNK_SIZE;
		for (int x = tile->x; x < x1; ++x)
		{
			bool is_blocked = (source[x].label & NC_FIELD_BLOCKED) != 0;
			if (job->field->clearances != NULL)
			{
				double distance = sqrt((double)source[x].squared_distance) * def->pixel_size;
				job->field->clearances[row + (size_t)x] = is_blocked ? 0.0f : (float)distance;
			}
			if (job->field->labels != NULL)
			{
				job->field->labels[row + (size_t)x] = source[x].label;
			}
		}
	}
	job->field->computed_pixels += (long long)(x1 - tile->x) * (y1 - tile->y);
	job->field->candidate_count += (long long)tile->count * (x1 - tile->x) * (y1 - tile->y);
}

bool nc_field_store_candidates(
	NcFieldJob* job, const NcMeshTile* tile, const uint32_t* candidates, int count)
{
	NcFieldTiles* tiles = job->field->tiles;
	if (!nc_grow((void**)&tiles->sites, &tiles->site_capacity, sizeof(uint32_t),
			(long long)tiles->site_count + count))
	{
		return false;
	}
	int column = (job->chunk.x + tile->x) / NC_MESH_TILE_SIZE;
	int row = (job->chunk.y + tile->y) / NC_MESH_TILE_SIZE;
	tiles->tiles[row * tiles->columns + column] =
		(NcFieldTile){.begin = tiles->site_count, .count = count};
	for (int i = 0; i < count; ++i)
	{
		tiles->sites[tiles->site_count++] = job->chunk.sites[candidates[i]].id;
	}
	return true;
}

static size_t get_tile_bytes(const NcFieldTiles* tiles)
{
	return sizeof(NcFieldTile) * (size_t)tiles->columns * (size_t)tiles->rows;
}

void nc_field_tiles_free(NcFieldTiles* tiles)
{
	nc_allocate(tiles->tiles, get_tile_bytes(tiles), 0);
	nc_grow_free((void**)&tiles->sites, &tiles->site_capacity, sizeof(uint32_t));
	*tiles = (NcFieldTiles){0};
}

static bool begin_tiles(const NcFieldDef* def, NcFieldTiles* tiles)
{
	nc_field_tiles_free(tiles);
	NcFieldTiles wanted = {
		.columns = (def->width - 1) / NC_MESH_TILE_SIZE + 1,
		.rows = (def->height - 1) / NC_MESH_TILE_SIZE + 1,
	};
	NcFieldTile* items = nc_allocate(NULL, 0, get_tile_bytes(&wanted));
	if (items == NULL)
	{
		return false;
	}
	memset(items, 0, get_tile_bytes(&wanted));
	*tiles = wanted;
	tiles->tiles = items;
	return true;
}

// The whole picture.

static void fill_without_sites(const NcFieldDef* def, NcField* field)
{
	size_t count = (size_t)def->width * (size_t)def->height;
	for (size_t i = 0; field->clearances != NULL && i < count; ++i)
	{
		field->clearances[i] = INFINITY;
	}
	for (size_t i = 0; field->labels != NULL && i < count; ++i)
	{
		field->labels[i] = NC_FIELD_NO_SITE;
	}
}

static NcStatus compute_chunk(NcFieldJob* job, NcFieldChunkFn* compute, void* context)
{
	const NcFieldDef* def = job->def;
	NcFieldChunk* chunk = &job->chunk;
	if (!list_tiles(def, chunk))
	{
		return NC_OUT_OF_MEMORY;
	}
	if (chunk->level_begins[LEAF_LEVEL] == chunk->tile_count)
	{
		return NC_OK; // Nothing here is dirty.
	}
	if (!collect_sites(def, chunk) || !collect_edges(def, chunk))
	{
		return NC_OUT_OF_MEMORY;
	}
	chunk->tiles[0].count = (uint32_t)chunk->site_count;
	return compute(context, job) ? NC_OK : NC_NO_DEVICE;
}

static NcStatus compute_all_chunks(NcFieldJob* job, NcFieldChunkFn* compute, void* context)
{
	const NcFieldDef* def = job->def;
	// Counting what is left cannot overflow, unlike stepping past the end.
	for (int rows = def->height; rows > 0; rows -= min_int(rows, NC_MESH_CHUNK_SIZE))
	{
		for (int columns = def->width; columns > 0; columns -= min_int(columns, NC_MESH_CHUNK_SIZE))
		{
			job->chunk.x = def->width - columns;
			job->chunk.y = def->height - rows;
			job->chunk.width = min_int(columns, NC_MESH_CHUNK_SIZE);
			job->chunk.height = min_int(rows, NC_MESH_CHUNK_SIZE);
			NcStatus status = compute_chunk(job, compute, context);
			if (status != NC_OK)
			{
				return status;
			}
		}
	}
	return NC_OK;
}

static void free_chunk(NcFieldChunk* chunk)
{
	nc_grow_free((void**)&chunk->sites, &chunk->site_capacity, sizeof(NcMeshSite));
	nc_grow_free((void**)&chunk->edges, &chunk->edge_capacity, sizeof(NcMeshEdge));
	nc_grow_free((void**)&chunk->tiles, &chunk->tile_capacity, sizeof(NcMeshTile));
	nc_grow_free((void**)&chunk->first_children, &chunk->first_child_capacity, sizeof(int));
}

static bool has_sites(const NcFieldDef* def)
{
	for (int i = 0; i < def->site_count; ++i)
	{
		if (!def->sites[i].is_gap)
		{
			return true;
		}
	}
	return false;
}

NcStatus nc_field_run(
	const NcFieldDef* def, NcField* field, NcFieldChunkFn* compute, void* context, NcError* error)
{
	assert(def != NULL && def->cookie == FIELD_DEF_COOKIE && field != NULL);
	assert(def->site_count >= 0 && (def->sites != NULL || def->site_count == 0));

	NcStatus status = check_picture(def, error);
	status = status == NC_OK ? check_sites(def, error) : status;
	if (status != NC_OK)
	{
		return status;
	}

	field->is_from_device = false;
	field->computed_pixels = 0;
	field->candidate_count = 0;
	field->cull_count = 0;
	if (field->tiles != NULL && !begin_tiles(def, field->tiles))
	{
		return nc_vk_set_error(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "out of memory");
	}
	if (!has_sites(def))
	{
		fill_without_sites(def, field);
		return NC_OK;
	}

	NcFieldJob job = {.def = def, .field = field};
	status = compute_all_chunks(&job, compute, context);
	free_chunk(&job.chunk);
	return status == NC_OUT_OF_MEMORY
			   ? nc_vk_set_error(error, status, NC_NULL_INDEX, "out of memory")
			   : status;
}

NcFieldDef nc_default_field_def(void)
{
	return (NcFieldDef){.pixel_size = 1.0, .cookie = FIELD_DEF_COOKIE};
}

NcStatus nc_field_compute(NcGpu* gpu, const NcFieldDef* def, NcField* field, NcError* error)
{
	if (gpu != NULL)
	{
		NcError device_error = {0};
		NcStatus status = nc_gpu_compute_field(gpu, def, field, &device_error);
		if (status == NC_OK || status == NC_INVALID_INPUT)
		{
			return status == NC_OK
					   ? NC_OK
					   : nc_vk_set_error(error, status, device_error.item, device_error.reason);
		}
		nc_log("the Vulkan device failed; the processor computes the field");
		nc_log(device_error.reason);
	}

	NcStatus status = nc_field_run(def, field, nc_field_compute_chunk, NULL, error);
	// The processor fails for one reason only.
	return status == NC_NO_DEVICE
			   ? nc_vk_set_error(error, NC_OUT_OF_MEMORY, NC_NULL_INDEX, "out of memory")
			   : status;
}
