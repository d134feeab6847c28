// SPDX-License-Identifier: MIT
// The explicit corridor of the path found last: its arcs become sections.
//
// An arc is cut where its clearance falls below the margin: what lies there has no room and follows
// the axis. Where two arcs meet in a vertex, the feet on a side may differ: something leads off
// there, and the disc around the vertex closes the opening.

#include "corridor.h"
#include "query_state.h"

// Feet closer than this, in snaps, are the same: a wall and the corner at its end.
#define SAME_FOOT 1e-3

// Where sections go. All lengths are in snaps.
typedef struct Builder
{
	const NcQuery* query;
	double radius, margin;
	NcCorridorSection* sections;
	int capacity, count;
	double distance; // along the axis
} Builder;

static NcFeature get_feature(const NcDiagram* diagram, int piece, int side)
{
	int at = side == NC_CORRIDOR_LEFT ? nc_piece_twin(diagram, piece) : piece;
	return nc_piece_owner(diagram, at);
}

static void push_section(Builder* builder, NcCorridorSection section)
{
	const NcMap* map = builder->query->map;
	section.begin = builder->distance * map->snap;
	builder->distance += section.length;
	section.length *= map->snap;
	section.margin = builder->margin * map->snap;
	for (int end = 0; end < 2; ++end)
	{
		section.axis[end] = nc_map_to_world(map, section.axis[end]);
		section.clearances[end] *= map->snap;
		for (int side = 0; side < 2; ++side)
		{
			NcVec2* foot = &section.sides[side].feet[end];
			*foot = nc_map_to_world(map, *foot);
		}
	}
	if (builder->count < builder->capacity)
	{
		nc_corridor_shape_section(&section);
		builder->sections[builder->count] = section;
	}
	++builder->count;
}

static NcCorridorSection make_section(const Builder* builder, const NcPathArc* item)
{
	const NcDiagram* diagram = &builder->query->map->world.diagram;
	NcCorridorSection section = {
		.axis = {item->arc.ends[0], item->arc.ends[1]},
		.clearances = {item->arc.clearances[0], item->arc.clearances[1]},
		.length = nc_arc_compute_length(&item->arc),
	};
	for (int side = 0; side < 2; ++side)
	{
		NcFeature feature = get_feature(diagram, item->piece, side);
		bool is_cone = nc_feature_is_cone(feature);
		section.sides[side].kind = is_cone ? NC_CORRIDOR_CORNER : NC_CORRIDOR_WALL;
		for (int end = 0; end < 2; ++end)
		{
			section.sides[side].feet[end] =
				nc_diagram_compute_foot(diagram, feature, section.axis[end]);
		}
	}
	return section;
}

// A part of an arc with its true clearances at both ends.
static NcPathArc cut_arc(const Builder* builder, const NcPathArc* item, NcVec2 from, NcVec2 to)
{
	const NcDiagram* diagram = &builder->query->map->world.diagram;
	NcFeature feature = get_feature(diagram, item->piece, NC_CORRIDOR_RIGHT);
	NcPathArc part = *item;
	NcVec2 ends[2] = {from, to};
	for (int end = 0; end < 2; ++end)
	{
		bool is_whole = ends[end].x == part.arc.ends[end].x && ends[end].y == part.arc.ends[end].y;
		NcVec2 foot = nc_diagram_compute_foot(diagram, feature, ends[end]);
		part.arc.clearances[end] =
			is_whole ? part.arc.clearances[end] : nc_distance(ends[end], foot);
		part.arc.ends[end] = ends[end];
	}
	return part;
}

// Where there is less room than the margin: along chords of the axis.
static void push_narrow(Builder* builder, const NcPathArc* item)
{
	int parts =
		nc_arc_count_parts(&item->arc, nc_route_choose_tolerance(&item->arc, builder->radius));
	for (int k = 0; k < parts; ++k)
	{
		NcPathArc part = cut_arc(builder, item, nc_arc_get_point(&item->arc, k, parts),
			nc_arc_get_point(&item->arc, k + 1, parts));
		NcCorridorSection section = make_section(builder, &part);
		section.is_narrow = true;
		push_section(builder, section);
	}
}

static void push_arc(Builder* builder, const NcPathArc* item)
{
	const NcDiagram* diagram = &builder->query->map->world.diagram;
	NcFeature feature = get_feature(diagram, item->piece, NC_CORRIDOR_RIGHT);
	NcVec2 cuts[4] = {item->arc.ends[0]};
	int count = nc_arc_find_clearance(&item->arc, builder->margin, &cuts[1]);
	cuts[count + 1] = item->arc.ends[1];
	for (int i = 0; i <= count; ++i)
	{
		NcPathArc part = cut_arc(builder, item, cuts[i], cuts[i + 1]);
		NcVec2 middle = nc_arc_get_point(&part.arc, 1, 2);
		NcVec2 foot = nc_diagram_compute_foot(diagram, feature, middle);
		if (nc_distance(middle, foot) < builder->margin)
		{
			push_narrow(builder, &part);
		}
		else
		{
			push_section(builder, make_section(builder, &part));
		}
	}
}

// The disc around a vertex, where something leads off on a side.
static void push_opening(Builder* builder, const NcPathArc* before, const NcPathArc* after)
{
	NcCorridorSection first = make_section(builder, before);
	NcCorridorSection second = make_section(builder, after);
	NcCorridorSection section = {
		.axis = {second.axis[0], second.axis[0]},
		.clearances = {second.clearances[0], second.clearances[0]},
		.is_narrow = second.clearances[0] < builder->margin,
	};
	bool is_open = false;
	for (int side = 0; side < 2; ++side)
	{
		NcCorridorSide* out = &section.sides[side];
		out->feet[0] = first.sides[side].feet[1];
		out->feet[1] = second.sides[side].feet[0];
		bool is_apart = nc_distance(out->feet[0], out->feet[1]) > SAME_FOOT;
		out->kind = is_apart ? NC_CORRIDOR_OPENING : NC_CORRIDOR_CORNER;
		is_open = is_open || is_apart;
	}
	is_open ? push_section(builder, section) : (void)0;
}

int nc_query_get_corridor_sections(const NcQuery* query, double radius, double preferred_clearance,
	NcCorridorSection* sections, int capacity)
{
	bool has_path = query->path_revision != 0 && query->path_revision == query->map->revision;
	double margin = nc_max(radius, 0.0) + nc_max(preferred_clearance, 0.0);
	Builder builder = {
		.query = query,
		.radius = nc_max(radius, 0.0) * query->map->inverse_snap,
		.margin = margin * query->map->inverse_snap,
		.sections = sections,
		.capacity = capacity,
	};
	for (int i = 0; i < query->arcs.count && has_path && isfinite(margin); ++i)
	{
		const NcPathArc* arc = &query->arcs.data[i];
		i > 0 ? push_opening(&builder, arc - 1, arc) : (void)0;
		push_arc(&builder, arc);
	}
	return builder.count;
}
