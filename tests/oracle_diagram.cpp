// SPDX-License-Identifier: MIT
// Ask Boost.Polygon and CGAL whether our diagrams are right.
//
//   oracle_diagram [--boost | --cgal] [--verbose] [--tolerance T] SCENE ...   as in scenes.h
//   oracle_diagram --self-test              is a wrong diagram noticed?
//   oracle_diagram ... KIND:FROM..TO        all numbers from FROM to TO
//
// Prints `ok - ...` or `not ok - ...` for each scene and witness; with more than 20 scenes of a
// range, one line for the whole range. Exit code 1 if anything differs. Where both witnesses are
// asked and only Boost differs, Boost is wrong: CGAL's predicates are exact, Boost's are not. The
// line says so and counts as passed.

#include "compare.h"
#include "peers.h"
#include "scenes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

struct Options
{
	bool asks_boost = true, asks_cgal = true, is_verbose = false;
	double tolerance = VERTEX_TOLERANCE; // in snaps
};

struct Totals
{
	int passed = 0, failed = 0, boost_wrong = 0;
	double worst_distance = 0.0, worst_contracted = 0.0;
	long edges = 0;
};

static void print(const char* verdict, const std::string& scene, const char* claim,
	double tolerance, const Comparison& c)
{
	printf("%s - %s %s within %g snaps: %d edges (theirs %d), %d vertices (theirs %d), worst "
		   "distance %.1e "
		   "at %.6g %.6g, contracted %.1e",
		verdict, scene.c_str(), claim, tolerance, c.our_edges, c.their_edges, c.our_vertices,
		c.their_vertices, c.worst_distance, c.worst_vertex.x, c.worst_vertex.y, c.worst_contracted);
	if (!c.is_equal())
	{
		printf("\n#   only ours: %d edges, %d vertices; only theirs: %d edges, %d vertices\n#   %s",
			c.only_our_edges, c.only_our_vertices, c.only_their_edges, c.only_their_vertices,
			c.first_difference.c_str());
	}
	printf("\n");
	fflush(stdout);
}

static void judge(const Options& options, const std::string& scene, const char* claim,
	const Comparison& c, Totals& totals)
{
	bool is_equal = c.is_equal();
	++(is_equal ? totals.passed : totals.failed);
	totals.worst_distance = std::max(totals.worst_distance, c.worst_distance);
	totals.worst_contracted = std::max(totals.worst_contracted, c.worst_contracted);
	if (!is_equal || options.is_verbose)
	{
		print(is_equal ? "ok" : "not ok", scene, claim, options.tolerance, c);
	}
}

static void check_scene(const Options& options, const std::string& scene, Totals& totals)
{
	TestScene made;
	if (!scenes_make(scene.c_str(), &made))
	{
		exit(2);
	}
	NcMap* map = scenes_build_map(&made, 1, nullptr);
	Walls walls(map);
	std::vector<SiteEdge> ours = read_our_edges(map, walls);
	totals.edges += (long)ours.size();
	int unresolved = nc_map_get_stats(map).unresolved_count;
	if (unresolved > 0)
	{
		printf("not ok - %s has no unresolved borders: %d\n", scene.c_str(), unresolved);
		++totals.failed;
	}

	Comparison cgal;
	if (options.asks_cgal)
	{
		cgal = compare_diagrams(ours, cgal_find_edges(walls), options.tolerance);
		judge(options, scene, "equals CGAL", cgal, totals);
	}
	if (options.asks_boost)
	{
		Comparison boost = compare_diagrams(ours, boost_find_edges(walls), options.tolerance);
		if (!boost.is_equal() && options.asks_cgal && cgal.is_equal())
		{
			++totals.boost_wrong;
			++totals.passed;
			print("ok", scene, "is not Boost's, which is wrong because CGAL agrees",
				options.tolerance, boost);
		}
		else
		{
			judge(options, scene, "equals Boost", boost, totals);
		}
	}
	nc_map_destroy(map);
	scenes_destroy(&made);
}

// An oracle that cannot say no is worth nothing: damage a diagram in every way that counts, and see
// that each is noticed.
static Totals check_oracle()
{
	TestScene made;
	if (!scenes_make("mckenna", &made))
	{
		exit(2);
	}
	NcMap* map = scenes_build_map(&made, 1, nullptr);
	const std::vector<SiteEdge> ours = read_our_edges(map, Walls(map));
	nc_map_destroy(map);
	scenes_destroy(&made);

	Totals totals;
	auto expect = [&](bool is_expected, const char* what)
	{
		printf("%s - the oracle sees %s\n", is_expected ? "ok" : "not ok", what);
		++(is_expected ? totals.passed : totals.failed);
	};
	expect(compare_diagrams(ours, ours).is_equal(), "that equal diagrams are equal");
	std::vector<SiteEdge> changed = ours;
	changed.pop_back();
	expect(!compare_diagrams(changed, ours).is_equal(), "a missing edge");
	expect(!compare_diagrams(ours, changed).is_equal(), "an edge too many");
	changed = ours;
	changed[7].ends[0].x += 0.002;
	expect(!compare_diagrams(changed, ours).is_equal(), "an end that moved by 0.002 snaps");
	changed = ours;
	++changed[7].sites[0];
	expect(!compare_diagrams(changed, ours).is_equal(), "a wrong site");
	changed = ours;
	changed.push_back(ours[7]);
	expect(!compare_diagrams(changed, ours).is_equal(), "an edge that is there twice");
	return totals;
}

static void add(Totals& sum, const Totals& part)
{
	sum.passed += part.passed;
	sum.failed += part.failed;
	sum.boost_wrong += part.boost_wrong;
}

// Check a scene, or a range of them.
static Totals check(Options options, const char* name)
{
	Totals totals;
	const char* dots = strstr(name, "..");
	const char* colon = strchr(name, ':');
	if (dots == nullptr || colon == nullptr)
	{
		options.is_verbose = true;
		check_scene(options, name, totals);
		return totals;
	}
	int from = atoi(colon + 1);
	int to = atoi(dots + 2);
	options.is_verbose = options.is_verbose || to - from < 20;
	for (int i = from; i <= to; ++i)
	{
		check_scene(options, std::string(name, colon + 1) + std::to_string(i), totals);
	}
	if (!options.is_verbose)
	{
		printf("%s - %s within %g snaps: %d comparisons passed, %d failed, Boost wrong in %d; %ld "
			   "edges, worst "
			   "distance %.1e, contracted %.1e\n",
			totals.failed == 0 ? "ok" : "not ok", name, options.tolerance, totals.passed,
			totals.failed, totals.boost_wrong, totals.edges, totals.worst_distance,
			totals.worst_contracted);
	}
	return totals;
}

int main(int argc, char** argv)
{
	Options options;
	Totals sum;
	for (int i = 1; i < argc; ++i)
	{
		std::string argument = argv[i];
		if (argument == "--boost")
		{
			options.asks_cgal = false;
		}
		else if (argument == "--cgal")
		{
			options.asks_boost = false;
		}
		else if (argument == "--verbose")
		{
			options.is_verbose = true;
		}
		else if (argument == "--tolerance" && i + 1 < argc)
		{
			options.tolerance = atof(argv[++i]);
		}
		else if (argument == "--self-test")
		{
			add(sum, check_oracle());
		}
		else
		{
			add(sum, check(options, argv[i]));
		}
	}
	printf("%d passed, %d failed\n", sum.passed, sum.failed);
	return sum.failed == 0 && sum.passed > 0 ? 0 : 1;
}
