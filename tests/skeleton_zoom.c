// SPDX-License-Identifier: MIT
// Looks for edges of the exact map that a picture is too coarse for in closer ones.

#include "skeleton_match.h"

#include "map_state.h"

#define ZOOM_PIXELS 64
#define MAX_ZOOM 16777216.0

bool skeleton_is_site_of(const FieldScene* scene, NcFeature feature, uint32_t site)
{
	const NcMap* map = scene->map;
	const NcSnap* snap = &map->world.diagram.snap;
	int index = nc_feature_index(feature);
	if (!nc_feature_is_cone(feature))
	{
		return (uint32_t)(index >> 1) == site;
	}
	NcVec2 apex = nc_map_to_world(map, nc_point_to_vec2(snap->vertices.data[index].point));
	const NcFieldSite* wall = &scene->sites[site];
	return (wall->a.x == apex.x && wall->a.y == apex.y) ||
		   (wall->b.x == apex.x && wall->b.y == apex.y);
}

// Whether a picture of the surroundings of a point has a sample there, of the features of a piece.
static bool is_seen(FieldScene* closer, NcVec2 center, NcFeature left, NcFeature right)
{
	double pixel = closer->def.pixel_size;
	closer->def.lower =
		nc_sub(center, (NcVec2){0.5 * ZOOM_PIXELS * pixel, 0.5 * ZOOM_PIXELS * pixel});
	NcField field = field_create(&closer->def);
	NcSkeleton skeleton = {0};
	bool is_done = nc_field_compute(NULL, &closer->def, &field, NULL) == NC_OK &&
				   nc_skeleton_extract(NULL, &closer->def, field.labels, &skeleton, NULL) == NC_OK;
	bool is_found = false;
	for (int i = 0; is_done && i < skeleton.sample_count; ++i)
	{
		const NcSkeletonSample* sample = &skeleton.samples[i];
		bool is_same = skeleton_is_site_of(closer, left, sample->left_site) &&
					   skeleton_is_site_of(closer, right, sample->right_site);
		bool is_turned = skeleton_is_site_of(closer, left, sample->right_site) &&
						 skeleton_is_site_of(closer, right, sample->left_site);
		is_found =
			is_found || ((is_same || is_turned) && nc_distance(sample->position, center) <= pixel);
	}
	nc_skeleton_free(&skeleton);
	field_destroy(&field);
	return is_found;
}

// The same for the middles of all arcs of an edge.
static bool is_edge_seen(FieldScene* closer, int edge)
{
	const NcMap* map = closer->map;
	const NcDiagram* diagram = &map->world.diagram;
	NcEdgeWalk walk = nc_graph_walk_edge(&map->world.graph, diagram, (NcEdgeEnd){.edge = edge});
	do
	{
		NcArc arc = nc_arc_of_piece(diagram, walk.piece);
		NcVec2 middle = nc_map_to_world(map, nc_arc_get_point(&arc, 1, 2));
		if (is_seen(closer, middle, nc_piece_owner(diagram, nc_piece_twin(diagram, walk.piece)),
				nc_piece_owner(diagram, walk.piece)))
		{
			return true;
		}
	} while (nc_edge_walk_advance(&walk));
	return false;
}

double skeleton_find_closer(const FieldScene* scene, int edge)
{
	FieldScene closer = *scene;
	closer.def.width = ZOOM_PIXELS;
	closer.def.height = ZOOM_PIXELS;
	for (double zoom = 4.0; zoom <= MAX_ZOOM; zoom *= 4.0)
	{
		closer.def.pixel_size = scene->def.pixel_size / zoom;
		if (is_edge_seen(&closer, edge))
		{
			return zoom;
		}
	}
	return 0.0;
}
