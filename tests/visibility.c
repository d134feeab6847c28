// SPDX-License-Identifier: MIT
// Tangent graphs by brute force. A state of the search is a tangent, walked in one direction: where
// it ends on a circle, all tangents that leave it farther around follow, if the arc is free.

#include "visibility.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What counts as touching, in parts of the scene.
#define TOUCH 1e-9

#define TAU 6.28318530717958647693

typedef struct Wall
{
	NcVec2 a, b;
} Wall;

// A way to leave a circle, or the start: tangents of one side of it.
typedef struct Link
{
	int to, to_side; // side 0: the string turns clockwise around it; 1: counter-clockwise
	NcVec2 direction;
	double length;
	double cost; // of the search: from the start to the end of this tangent
	bool is_done;
} Link;

typedef struct Links
{
	Link* items;
	int count, capacity;
} Links;

typedef struct Interval
{
	double lo, hi; // angles around a circle; hi may exceed a turn
} Interval;

typedef struct Circle
{
	NcVec2 center;
	Links links[2];
	Interval* free; // arcs on which nothing is closer than the radius
	int free_count;
} Circle;

struct Visibility
{
	Wall* walls;
	int wall_count;
	Circle* circles; // two more than there are corners: start and goal
	int circle_count;
	double radius;
	double touch;
};

static double distance_to_segment(NcVec2 p, NcVec2 a, NcVec2 b)
{
	double dx = b.x - a.x, dy = b.y - a.y;
	double dd = dx * dx + dy * dy;
	double t = dd > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / dd : 0.0;
	t = fmin(fmax(t, 0.0), 1.0);
	return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

static double turn(NcVec2 o, NcVec2 a, NcVec2 b)
{
	return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static double distance_of_segments(NcVec2 a, NcVec2 b, NcVec2 c, NcVec2 d)
{
	if (turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0)
	{
		return 0.0;
	}
	return fmin(fmin(distance_to_segment(a, c, d), distance_to_segment(b, c, d)),
		fmin(distance_to_segment(c, a, b), distance_to_segment(d, a, b)));
}

static bool is_point_free(const Visibility* graph, NcVec2 p)
{
	for (int i = 0; i < graph->wall_count; ++i)
	{
		if (distance_to_segment(p, graph->walls[i].a, graph->walls[i].b) <
			graph->radius - graph->touch)
		{
			return false;
		}
	}
	return true;
}

static bool is_segment_free(const Visibility* graph, NcVec2 a, NcVec2 b)
{
	for (int i = 0; i < graph->wall_count; ++i)
	{
		if (distance_of_segments(a, b, graph->walls[i].a, graph->walls[i].b) <
			graph->radius - graph->touch)
		{
			return false;
		}
	}
	return true;
}

// Free arcs: the circle is cut wherever its distance to a wall may become the radius.

typedef struct Cuts
{
	double* angles;
	int count;
} Cuts;

static void add_cut(Cuts* cuts, double angle)
{
	angle = fmod(angle, TAU);
	cuts->angles[cuts->count++] = angle < 0.0 ? angle + TAU : angle;
}

static void cut_by_circle(Cuts* cuts, NcVec2 center, double radius, NcVec2 p)
{
	double d = hypot(p.x - center.x, p.y - center.y);
	if (d > 0.0 && d < 2.0 * radius)
	{
		double middle = atan2(p.y - center.y, p.x - center.x);
		double half = acos(d / (2.0 * radius));
		add_cut(cuts, middle - half);
		add_cut(cuts, middle + half);
	}
}

// Where the circle crosses the line of points p with n . p = offset.
static void cut_by_line(Cuts* cuts, NcVec2 center, double radius, NcVec2 n, double offset)
{
	double d = offset - n.x * center.x - n.y * center.y;
	if (fabs(d) <= radius)
	{
		double middle = atan2(n.y, n.x);
		double half = acos(d / radius);
		add_cut(cuts, middle - half);
		add_cut(cuts, middle + half);
	}
}

static int compare_doubles(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return (x > y) - (x < y);
}

static NcVec2 point_at(const Visibility* graph, NcVec2 center, double angle)
{
	return (NcVec2){center.x + graph->radius * cos(angle), center.y + graph->radius * sin(angle)};
}

static void find_free_arcs(const Visibility* graph, Circle* circle)
{
	NcVec2 c = circle->center;
	double r = graph->radius;
	Cuts cuts = {malloc(sizeof(double) * (size_t)(12 * graph->wall_count + 4)), 0};
	add_cut(&cuts, 0.0);
	for (int i = 0; i < graph->wall_count; ++i)
	{
		NcVec2 a = graph->walls[i].a, b = graph->walls[i].b;
		if (distance_to_segment(c, a, b) > 2.0 * r + graph->touch)
		{
			continue;
		}
		cut_by_circle(&cuts, c, r, a);
		cut_by_circle(&cuts, c, r, b);
		double length = hypot(b.x - a.x, b.y - a.y);
		if (length > 0.0)
		{
			NcVec2 u = {(b.x - a.x) / length, (b.y - a.y) / length};
			NcVec2 n = {-u.y, u.x};
			double at = n.x * a.x + n.y * a.y;
			cut_by_line(&cuts, c, r, n, at + r);
			cut_by_line(&cuts, c, r, n, at - r);
			cut_by_line(&cuts, c, r, u, u.x * a.x + u.y * a.y);
			cut_by_line(&cuts, c, r, u, u.x * b.x + u.y * b.y);
		}
	}
	qsort(cuts.angles, (size_t)cuts.count, sizeof(double), compare_doubles);
	circle->free = malloc(sizeof(Interval) * (size_t)(cuts.count + 1));
	for (int i = 0; i < cuts.count; ++i)
	{
		double lo = cuts.angles[i];
		double hi = i + 1 < cuts.count ? cuts.angles[i + 1] : cuts.angles[0] + TAU;
		if (!is_point_free(graph, point_at(graph, c, 0.5 * (lo + hi))))
		{
			continue;
		}
		bool goes_on = circle->free_count > 0 && circle->free[circle->free_count - 1].hi == lo;
		if (goes_on)
		{
			circle->free[circle->free_count - 1].hi = hi;
		}
		else
		{
			circle->free[circle->free_count++] = (Interval){lo, hi};
		}
	}
	// The first and the last one are the same if they meet at angle zero.
	if (circle->free_count > 1 && circle->free[0].lo == 0.0 &&
		circle->free[circle->free_count - 1].hi == TAU)
	{
		circle->free[circle->free_count - 1].hi = TAU + circle->free[0].hi;
	}
	free(cuts.angles);
}

// Whether the arc from an angle over a positive turn, counter-clockwise, is free. Ends may touch.
static bool is_arc_free(const Circle* circle, double from, double angle)
{
	double slack = 1e-6;
	if (angle <= 2.0 * slack)
	{
		return true;
	}
	from = fmod(from, TAU);
	from = from < 0.0 ? from + TAU : from;
	for (int i = 0; i < circle->free_count; ++i)
	{
		for (int k = -1; k <= 1; ++k)
		{
			double lo = from + k * TAU;
			if (circle->free[i].lo <= lo + slack && lo + angle - slack <= circle->free[i].hi)
			{
				return true;
			}
		}
	}
	return false;
}

// Tangents.

static void add_link(Links* links, Link link)
{
	if (links->count == links->capacity)
	{
		links->capacity = links->capacity > 0 ? 2 * links->capacity : 8;
		links->items = realloc(links->items, sizeof(Link) * (size_t)links->capacity);
	}
	links->items[links->count++] = link;
}

// The tangent that leaves circle i on one side and arrives at circle j on one side. Start and goal,
// the last two, are points.
static void link_circles(Visibility* graph, int i, int side_i, int j, int side_j)
{
	double ri = i >= graph->circle_count - 2 ? 0.0 : graph->radius;
	double rj = j >= graph->circle_count - 2 ? 0.0 : graph->radius;
	NcVec2 a = graph->circles[i].center, b = graph->circles[j].center;
	double dx = b.x - a.x, dy = b.y - a.y, d = hypot(dx, dy);
	double k = (side_j ? rj : -rj) - (side_i ? ri : -ri);
	if (!(d > 0.0) || d < fabs(k) - graph->touch)
	{
		return;
	}
	// The direction is that between the centres, turned so that the offsets fit.
	double angle = atan2(dy, dx) - asin(fmin(fmax(k / d, -1.0), 1.0));
	NcVec2 u = {cos(angle), sin(angle)};
	double oi = side_i ? ri : -ri, oj = side_j ? rj : -rj;
	NcVec2 from = {a.x + oi * u.y, a.y - oi * u.x};
	NcVec2 to = {b.x + oj * u.y, b.y - oj * u.x};
	if (is_segment_free(graph, from, to))
	{
		Link link = {.to = j, .to_side = side_j, .direction = u};
		link.length = sqrt(fmax(d * d - k * k, 0.0));
		add_link(&graph->circles[i].links[side_i], link);
	}
}

static void add_corner(Visibility* graph, NcVec2 p)
{
	for (int i = 0; i < graph->circle_count; ++i)
	{
		if (graph->circles[i].center.x == p.x && graph->circles[i].center.y == p.y)
		{
			return;
		}
	}
	graph->circles[graph->circle_count++] = (Circle){.center = p};
}

Visibility* visibility_create(const NcMap* map, double radius)
{
	Visibility* graph = calloc(1, sizeof(Visibility));
	int range = nc_map_get_wall_range(map);
	NcBox box = nc_map_get_bounds(map);
	graph->radius = radius > 0.0 ? radius : 1e-8;
	graph->touch = nc_min(TOUCH * (box.upper.x - box.lower.x + 1.0), 0.01 * graph->radius);
	graph->walls = malloc(sizeof(Wall) * (size_t)(range + 1));
	graph->circles = calloc((size_t)(2 * range + 2), sizeof(Circle));
	for (int i = 0; i < range; ++i)
	{
		NcMapWall wall;
		if (nc_map_get_wall(map, i, &wall) && (wall.left_free || wall.right_free))
		{
			graph->walls[graph->wall_count++] = (Wall){wall.a, wall.b};
			add_corner(graph, wall.a);
			add_corner(graph, wall.b);
		}
	}
	graph->circle_count += 2;
	for (int i = 0; i < graph->circle_count - 2; ++i)
	{
		find_free_arcs(graph, &graph->circles[i]);
	}
	for (int i = 0; i < graph->circle_count - 2; ++i)
	{
		for (int j = 0; j < graph->circle_count - 2; ++j)
		{
			for (int sides = 0; i != j && graph->circles[i].free_count > 0 && sides < 4; ++sides)
			{
				link_circles(graph, i, sides & 1, j, sides >> 1);
			}
		}
	}
	return graph;
}

void visibility_destroy(Visibility* graph)
{
	for (int i = 0; i < graph->circle_count; ++i)
	{
		free(graph->circles[i].links[0].items);
		free(graph->circles[i].links[1].items);
		free(graph->circles[i].free);
	}
	free(graph->circles);
	free(graph->walls);
	free(graph);
}

// The search: Dijkstra without a heap.

static void clear_costs(Visibility* graph)
{
	for (int i = 0; i < graph->circle_count; ++i)
	{
		for (int side = 0; side < 2; ++side)
		{
			Links* links = &graph->circles[i].links[side];
			int count = 0;
			for (int k = 0; k < links->count; ++k)
			{
				// Links to the goal belong to one question only.
				if (links->items[k].to < graph->circle_count - 2)
				{
					links->items[count] = links->items[k];
					links->items[count].cost = HUGE_VAL;
					links->items[count++].is_done = false;
				}
			}
			links->count = i >= graph->circle_count - 2 ? 0 : count;
		}
	}
}

static Link* find_next(Visibility* graph)
{
	Link* best = NULL;
	for (int i = 0; i < graph->circle_count; ++i)
	{
		for (int side = 0; side < 2; ++side)
		{
			for (int k = 0; k < graph->circles[i].links[side].count; ++k)
			{
				Link* link = &graph->circles[i].links[side].items[k];
				if (!link->is_done && link->cost < (best != NULL ? best->cost : HUGE_VAL))
				{
					best = link;
				}
			}
		}
	}
	return best;
}

// All tangents that go on where one has arrived.
static void relax(Visibility* graph, const Link* arrived)
{
	Circle* circle = &graph->circles[arrived->to];
	int side = arrived->to_side;
	for (int k = 0; k < circle->links[side].count; ++k)
	{
		Link* link = &circle->links[side].items[k];
		NcVec2 in = arrived->direction, out = link->direction;
		double sine = in.x * out.y - in.y * out.x;
		double angle = atan2(side ? sine : -sine, in.x * out.x + in.y * out.y);
		angle = angle < -1e-9 ? angle + TAU : fmax(angle, 0.0);
		// Where the string touches: to the right of it for side 1, which has its centre on the
		// left.
		double touch_in = side ? atan2(-in.x, in.y) : atan2(in.x, -in.y);
		double touch_out = side ? atan2(-out.x, out.y) : atan2(out.x, -out.y);
		if (link->cost > arrived->cost + angle * graph->radius + link->length &&
			is_arc_free(circle, side ? touch_in : touch_out, angle))
		{
			link->cost = arrived->cost + angle * graph->radius + link->length;
		}
	}
}

double visibility_find(Visibility* graph, NcVec2 start, NcVec2 goal)
{
	int s = graph->circle_count - 2, g = graph->circle_count - 1;
	clear_costs(graph);
	graph->circles[s].center = start;
	graph->circles[g].center = goal;
	if (is_segment_free(graph, start, goal))
	{
		return hypot(goal.x - start.x, goal.y - start.y);
	}
	for (int i = 0; i < s; ++i)
	{
		for (int side = 0; side < 2; ++side)
		{
			link_circles(graph, s, 0, i, side);
			link_circles(graph, i, side, g, 0);
		}
	}
	Links* first = &graph->circles[s].links[0];
	for (int i = 0; i < graph->circle_count; ++i)
	{
		for (int side = 0; side < 2; ++side)
		{
			for (int k = 0; k < graph->circles[i].links[side].count; ++k)
			{
				graph->circles[i].links[side].items[k].cost = HUGE_VAL;
			}
		}
	}
	for (int k = 0; k < first->count; ++k)
	{
		first->items[k].cost = first->items[k].length;
	}
	for (Link* next = find_next(graph); next != NULL; next = find_next(graph))
	{
		if (next->to == g)
		{
			return next->cost;
		}
		next->is_done = true;
		relax(graph, next);
	}
	return HUGE_VAL;
}
