// SPDX-License-Identifier: MIT
// Compares a skeleton with the exact corridor map: see skeleton_match.h.
//
// The arcs of the exact map are cut into short straight pieces, which know their two features, and
// are found through a grid of cells of some pixels. A sample matches a piece if its labels are the
// walls of these features; a corner belongs to all walls that meet in it.

#include "skeleton_match.h"

#include "map_state.h"

#include <stdlib.h>
#include <string.h>

#define CELL_PIXELS 4

// Shorter edges of the picture are crossings that the raster has torn apart.
#define CONTRACTED_SAMPLES 2

typedef struct ExactPiece
{
	NcVec2 a, b;
	NcFeature left, right;
	int edge;
} ExactPiece;

typedef struct Exact
{
	const FieldScene* scene;
	ExactPiece* pieces;
	int count, capacity;
	int columns, rows;
	int* heads; // per cell: an entry of the lists, or -1
	int* entry_pieces;
	int* entry_next;
	int entry_count, entry_capacity;
	bool* is_found; // per edge
} Exact;

static void add_entry(Exact* exact, int cell, int piece)
{
	if (exact->entry_count == exact->entry_capacity)
	{
		exact->entry_capacity = 2 * exact->entry_capacity + 64;
		size_t size = sizeof(int) * (size_t)exact->entry_capacity;
		exact->entry_pieces = realloc(exact->entry_pieces, size);
		exact->entry_next = realloc(exact->entry_next, size);
	}
	exact->entry_pieces[exact->entry_count] = piece;
	exact->entry_next[exact->entry_count] = exact->heads[cell];
	exact->heads[cell] = exact->entry_count++;
}

static int to_cell(double value, double lower, double size, int count)
{
	return (int)nc_clamp(floor((value - lower) / size), 0, count - 1);
}

static void add_piece(Exact* exact, ExactPiece piece)
{
	if (exact->count == exact->capacity)
	{
		exact->capacity = 2 * exact->capacity + 64;
		exact->pieces = realloc(exact->pieces, sizeof(ExactPiece) * (size_t)exact->capacity);
	}
	exact->pieces[exact->count] = piece;

	// Into all cells within a cell of its box.
	const NcFieldDef* def = &exact->scene->def;
	double size = CELL_PIXELS * def->pixel_size;
	int x0 = to_cell(nc_min(piece.a.x, piece.b.x) - size, def->lower.x, size, exact->columns);
	int x1 = to_cell(nc_max(piece.a.x, piece.b.x) + size, def->lower.x, size, exact->columns);
	int y0 = to_cell(nc_min(piece.a.y, piece.b.y) - size, def->lower.y, size, exact->rows);
	int y1 = to_cell(nc_max(piece.a.y, piece.b.y) + size, def->lower.y, size, exact->rows);
	for (int y = y0; y <= y1; ++y)
	{
		for (int x = x0; x <= x1; ++x)
		{
			add_entry(exact, y * exact->columns + x, exact->count);
		}
	}
	++exact->count;
}

// Long straight pieces would be in too many cells.
static void add_line(Exact* exact, ExactPiece piece)
{
	double length = nc_distance(piece.a, piece.b);
	int parts = (int)(length / (8.0 * exact->scene->def.pixel_size)) + 1;
	for (int i = 0; i < parts; ++i)
	{
		ExactPiece part = piece;
		part.a = nc_lerp(piece.a, piece.b, (double)i / parts);
		part.b = nc_lerp(piece.a, piece.b, (double)(i + 1) / parts);
		add_piece(exact, part);
	}
}

static void add_edge(Exact* exact, int edge)
{
	const NcMap* map = exact->scene->map;
	const NcDiagram* diagram = &map->world.diagram;
	NcEdgeWalk walk = nc_graph_walk_edge(&map->world.graph, diagram, (NcEdgeEnd){.edge = edge});
	do
	{
		NcArc arc = nc_arc_of_piece(diagram, walk.piece);
		int parts = nc_arc_count_parts(&arc, 0.01 * exact->scene->def.pixel_size / map->snap);
		for (int i = 0; i < parts; ++i)
		{
			NcVec2 end = i + 1 < parts ? nc_arc_get_point(&arc, i + 1, parts) : arc.ends[1];
			add_line(exact, (ExactPiece){
								.a = nc_map_to_world(map, nc_arc_get_point(&arc, i, parts)),
								.b = nc_map_to_world(map, end),
								.left = nc_piece_owner(diagram, nc_piece_twin(diagram, walk.piece)),
								.right = nc_piece_owner(diagram, walk.piece),
								.edge = edge,
							});
		}
	} while (nc_edge_walk_advance(&walk));
}

static Exact make_exact(const FieldScene* scene)
{
	int edge_range = nc_map_get_edge_range(scene->map);
	Exact exact = {
		.scene = scene,
		.columns = scene->def.width / CELL_PIXELS + 1,
		.rows = scene->def.height / CELL_PIXELS + 1,
		.is_found = calloc((size_t)edge_range + 1, sizeof(bool)),
	};
	size_t cell_count = (size_t)exact.columns * (size_t)exact.rows;
	exact.heads = malloc(sizeof(int) * cell_count);
	memset(exact.heads, 0xff, sizeof(int) * cell_count);
	for (int i = 0; i < edge_range; ++i)
	{
		NcMapEdge edge;
		if (nc_map_get_edge(scene->map, i, &edge))
		{
			add_edge(&exact, i);
		}
	}
	return exact;
}

static void free_exact(Exact* exact)
{
	free(exact->pieces);
	free(exact->heads);
	free(exact->entry_pieces);
	free(exact->entry_next);
	free(exact->is_found);
}

// The nearest piece with the labels of a sample. `is_same` tells whether it runs with the same site
// on its left.
static const ExactPiece* find_piece(
	const Exact* exact, const NcSkeletonSample* sample, double* distance, bool* is_same)
{
	const NcFieldDef* def = &exact->scene->def;
	double size = CELL_PIXELS * def->pixel_size;
	int cell = to_cell(sample->position.y, def->lower.y, size, exact->rows) * exact->columns +
			   to_cell(sample->position.x, def->lower.x, size, exact->columns);
	const ExactPiece* best = NULL;
	*distance = HUGE_VAL;
	for (int i = exact->heads[cell]; i >= 0; i = exact->entry_next[i])
	{
		const ExactPiece* piece = &exact->pieces[exact->entry_pieces[i]];
		NcVec2 p = nc_closest_on_segment(sample->position, piece->a, piece->b);
		double d = nc_distance(p, sample->position);
		if (d >= *distance)
		{
			continue;
		}
		bool is_forward = skeleton_is_site_of(exact->scene, piece->left, sample->left_site) &&
						  skeleton_is_site_of(exact->scene, piece->right, sample->right_site);
		bool is_backward = skeleton_is_site_of(exact->scene, piece->left, sample->right_site) &&
						   skeleton_is_site_of(exact->scene, piece->right, sample->left_site);
		if (is_forward || is_backward)
		{
			best = piece;
			*distance = d;
			*is_same = is_forward;
		}
	}
	return best;
}

// How far the closest points of a sample are from those that the exact map has nearby.
static double compute_point_distance(
	const Exact* exact, const NcSkeletonSample* sample, const ExactPiece* piece, bool is_same)
{
	const NcMap* map = exact->scene->map;
	NcVec2 p = nc_closest_on_segment(sample->position, piece->a, piece->b);
	NcVec2 snaps = nc_map_to_snaps(map, p);
	NcFeature left = is_same ? piece->left : piece->right;
	NcFeature right = is_same ? piece->right : piece->left;
	const NcDiagram* diagram = &map->world.diagram;
	return nc_max(nc_distance(sample->left,
					  nc_map_to_world(map, nc_diagram_compute_foot(diagram, left, snaps))),
		nc_distance(
			sample->right, nc_map_to_world(map, nc_diagram_compute_foot(diagram, right, snaps))));
}

// Whether the exact map has, within a pixel, a point whose closest points are within a pixel of
// those of a sample.
static bool has_same_points_nearby(const Exact* exact, const NcSkeletonSample* sample)
{
	const NcFieldDef* def = &exact->scene->def;
	NcVec2 p = sample->position;
	double size = CELL_PIXELS * def->pixel_size;
	int cell = to_cell(p.y, def->lower.y, size, exact->rows) * exact->columns +
			   to_cell(p.x, def->lower.x, size, exact->columns);
	for (int i = exact->heads[cell]; i >= 0; i = exact->entry_next[i])
	{
		const ExactPiece* piece = &exact->pieces[exact->entry_pieces[i]];
		if (nc_distance(p, nc_closest_on_segment(p, piece->a, piece->b)) <= def->pixel_size &&
			nc_min(compute_point_distance(exact, sample, piece, true),
				compute_point_distance(exact, sample, piece, false)) <= def->pixel_size)
		{
			return true;
		}
	}
	return false;
}

// Whether a piece of the exact map within a pixel has this site.
static bool is_named_nearby(const Exact* exact, NcVec2 p, uint32_t site)
{
	const NcFieldDef* def = &exact->scene->def;
	double size = CELL_PIXELS * def->pixel_size;
	int cell = to_cell(p.y, def->lower.y, size, exact->rows) * exact->columns +
			   to_cell(p.x, def->lower.x, size, exact->columns);
	for (int i = exact->heads[cell]; i >= 0; i = exact->entry_next[i])
	{
		const ExactPiece* piece = &exact->pieces[exact->entry_pieces[i]];
		if (nc_distance(p, nc_closest_on_segment(p, piece->a, piece->b)) <= def->pixel_size &&
			(skeleton_is_site_of(exact->scene, piece->left, site) ||
				skeleton_is_site_of(exact->scene, piece->right, site)))
		{
			return true;
		}
	}
	return false;
}

static void match_edge(
	Exact* exact, const NcSkeleton* skeleton, const NcSkeletonEdge* edge, SkeletonMatch* match)
{
	double pixel = exact->scene->def.pixel_size;
	double along = 0.0;
	bool is_contracted = edge->sample_count <= CONTRACTED_SAMPLES;
	for (int i = 0; i < edge->sample_count; ++i)
	{
		const NcSkeletonSample* sample = &skeleton->samples[edge->first_sample + i];
		double distance;
		bool is_same = false;
		const ExactPiece* piece = find_piece(exact, sample, &distance, &is_same);
		bool is_matched = piece != NULL && distance <= pixel;
		match->contracted_count += is_contracted;
		if (!is_matched)
		{
			bool is_split = has_same_points_nearby(exact, sample) ||
							(is_named_nearby(exact, sample->position, sample->left_site) &&
								is_named_nearby(exact, sample->position, sample->right_site));
			match->split_samples += !is_contracted && is_split;
			double precision = 1e-3 * pixel + 1e-6 * sample->clearance;
			bool is_tied = nc_distance(sample->left, sample->right) <= precision;
			match->tied_samples += !is_contracted && !is_split && is_tied;
			match->unmatched_samples += !is_contracted && !is_split && !is_tied;
			continue;
		}
		exact->is_found[piece->edge] = true;
		double point_distance = compute_point_distance(exact, sample, piece, is_same);
		match->wrong_points += point_distance > pixel && !is_contracted;
		match->max_distance = nc_max(match->max_distance, distance / pixel);
		match->max_point_distance = nc_max(match->max_point_distance, point_distance / pixel);
		if (i > 0)
		{
			NcVec2 walked = nc_sub(sample->position, sample[-1].position);
			NcVec2 direction = nc_normalize(nc_sub(piece->b, piece->a));
			along += (is_same ? 1.0 : -1.0) * nc_dot(walked, direction);
		}
	}
	match->wrong_sides += edge->sample_count > 4 && along < 0.0;
}

SkeletonMatch skeleton_match(const FieldScene* scene, const NcSkeleton* skeleton)
{
	Exact exact = make_exact(scene);
	SkeletonMatch match = {.sample_count = skeleton->sample_count};
	for (int i = 0; i < skeleton->edge_count; ++i)
	{
		match_edge(&exact, skeleton, &skeleton->edges[i], &match);
	}
	for (int i = 0; i < nc_map_get_edge_range(scene->map); ++i)
	{
		NcMapEdge edge;
		if (nc_map_get_edge(scene->map, i, &edge) && edge.length > 2.0 * scene->def.pixel_size)
		{
			++match.edge_count;
			double zoom = exact.is_found[i] ? 1.0 : skeleton_find_closer(scene, i);
			match.zoomed_edges += zoom > 1.0;
			match.lost_edges += zoom == 0.0;
			match.max_zoom = nc_max(match.max_zoom, zoom);
		}
	}
	free_exact(&exact);
	return match;
}

void skeleton_match_add(SkeletonMatch* sum, const SkeletonMatch* match)
{
	sum->sample_count += match->sample_count;
	sum->edge_count += match->edge_count;
	sum->contracted_count += match->contracted_count;
	sum->split_samples += match->split_samples;
	sum->tied_samples += match->tied_samples;
	sum->unmatched_samples += match->unmatched_samples;
	sum->wrong_points += match->wrong_points;
	sum->wrong_sides += match->wrong_sides;
	sum->zoomed_edges += match->zoomed_edges;
	sum->lost_edges += match->lost_edges;
	sum->max_zoom = nc_max(sum->max_zoom, match->max_zoom);
	sum->max_distance = nc_max(sum->max_distance, match->max_distance);
	sum->max_point_distance = nc_max(sum->max_point_distance, match->max_point_distance);
}

int skeleton_match_count_wrong(const SkeletonMatch* match)
{
	return match->unmatched_samples + match->wrong_points + match->wrong_sides + match->lost_edges;
}

void skeleton_match_print(FILE* file, const char* name, const SkeletonMatch* match)
{
	fprintf(file,
		"%s: %d samples (%d contracted, %d split, %d tied): %d unmatched, %d wrong points, %d "
		"wrong "
		"sides; %d edges: %d found %g times closer, %d lost; at most %.2f and %.2f pixels off\n",
		name, match->sample_count, match->contracted_count, match->split_samples,
		match->tied_samples, match->unmatched_samples, match->wrong_points, match->wrong_sides,
		match->edge_count, match->zoomed_edges, match->max_zoom, match->lost_edges,
		match->max_distance, match->max_point_distance);
}
