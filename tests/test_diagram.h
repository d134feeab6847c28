// SPDX-License-Identifier: MIT
#pragma once

// What must hold for every diagram, whether it was built or changed in place.

#include "test.h"

#include "diagram.h"

// Where a piece ends.
static inline int get_end(const NcDiagram* diagram, int piece)
{
	return diagram->records.data[nc_piece_twin(diagram, piece)].junction;
}

// Every junction is the centre of an empty disc that touches all its neighbours.
static inline void require_junctions(const NcDiagram* diagram, double tolerance, int round)
{
	for (int i = 0; i < diagram->junctions.count; ++i)
	{
		const NcJunction* junction = &diagram->junctions.data[i];
		if (junction->degree == 0)
		{
			continue;
		}
		double distance = compute_brute_distance(&diagram->snap, junction->position);
		assert_in_round(fabs(distance - junction->clearance) < tolerance, round);
		int degree = 0;
		int p = junction->piece;
		do
		{
			assert_in_round(diagram->records.data[p].junction == i, round);
			NcVec2 foot =
				nc_diagram_compute_foot(diagram, nc_piece_owner(diagram, p), junction->position);
			double own = nc_distance(foot, junction->position);
			assert_in_round(fabs(own - junction->clearance) < tolerance, round);
			++degree;
			p = nc_piece_around(diagram, p);
		} while (p != junction->piece);
		assert_in_round(degree == junction->degree, round);
	}
}

// Every border has two sides, and goes on where it ends.
static inline void require_pieces(const NcDiagram* diagram, int round)
{
	const NcRecord* r = diagram->records.data;
	for (int p = 0; p < diagram->records.count; ++p)
	{
		if (!nc_piece_is_linked(diagram, p))
		{
			continue;
		}
		int twin = nc_piece_twin(diagram, p);
		assert_in_round(nc_piece_twin(diagram, twin) == p && twin != p, round);
		assert_in_round(r[p].neighbor == nc_piece_owner(diagram, twin), round);
		assert_in_round(r[twin].neighbor == nc_piece_owner(diagram, p), round);
		int next = nc_piece_next(diagram, p);
		assert_in_round(nc_piece_is_linked(diagram, next), round);
		assert_in_round(diagram->records.data[next].junction == get_end(diagram, p), round);
	}
}

// For each connected part of a plane graph: vertices - edges + faces = 2, where the faces are the
// walks that next() makes. A wrong stitch changes the sum.
static inline int find_root(int* parents, int i)
{
	while (parents[i] != i)
	{
		i = parents[i] = parents[parents[i]];
	}
	return i;
}

static inline void require_plane(const NcDiagram* diagram, int round)
{
	int n = diagram->records.count;
	int* parents = calloc((size_t)diagram->junctions.count + 1, sizeof(int));
	bool* is_seen = calloc((size_t)n + 1, sizeof(bool));
	for (int i = 0; i < diagram->junctions.count; ++i)
	{
		parents[i] = i;
	}
	int edge_count = 0;
	int face_count = 0;
	for (int p = 0; p < n; ++p)
	{
		if (!nc_piece_is_linked(diagram, p))
		{
			continue;
		}
		edge_count += p < nc_piece_twin(diagram, p);
		parents[find_root(parents, diagram->records.data[p].junction)] =
			find_root(parents, get_end(diagram, p));
		face_count += !is_seen[p];
		for (int q = p; !is_seen[q]; q = nc_piece_next(diagram, q))
		{
			is_seen[q] = true;
		}
	}
	int part_count = 0;
	int junction_count = 0;
	for (int i = 0; i < diagram->junctions.count; ++i)
	{
		bool is_used = diagram->junctions.data[i].degree > 0;
		part_count += is_used && find_root(parents, i) == i;
		junction_count += is_used;
	}
	free(parents);
	free(is_seen);
	int sum = junction_count - edge_count + face_count;
	assert_in_round(sum == 2 * part_count, round);
}
