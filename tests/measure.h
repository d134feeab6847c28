// SPDX-License-Identifier: MIT
// Measuring: work in a process of its own, and results as a table for people or lines of JSON.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// What a piece of work took.
struct Measurement
{
	double cpu_seconds = 0.0, wall_seconds = 0.0;
	double memory = 0.0; // the most that it held beyond what was there before, in MiB
};

// Do some work in a child process, so that neither its memory nor its heap influences the next.
// Exits if the child fails.
Measurement measure_in_child(const std::function<void()>& work);

// Compute something in a child process and return its bytes. Exits if the child fails.
std::vector<char> compute_in_child(const std::function<std::vector<char>()>& compute);

// The least of everything, over several runs: noise only adds.
Measurement best_of(const Measurement& a, const Measurement& b);

// The value below which a share of all values lies. Sorts them.
double find_percentile(std::vector<double>& values, double share);

double get_wall_seconds();

// One comparison of ours with a peer. A ratio above 1 means that we are better.
struct Row
{
	std::string bench, scene, peer, unit;
	double ours, theirs;
};

// How results are printed.
enum class Output
{
	TABLE,
	JSON,
};

void print_head(Output output);
void print_row(Output output, const Row& row);
