// SPDX-License-Identifier: MIT
// Measuring in child processes, and printing the results.

#include "measure.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double get_seconds(clockid_t clock)
{
	timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double get_wall_seconds()
{
	return get_seconds(CLOCK_MONOTONIC);
}

static const double MEBIBYTE = 1024.0 * 1024.0;

// The memory of this process that is in use now.
static double get_resident_memory()
{
	long pages = 0;
	FILE* file = fopen("/proc/self/statm", "r");
	if (file == nullptr || fscanf(file, "%*d %ld", &pages) != 1)
	{
		fprintf(stderr, "/proc/self/statm cannot be read\n");
		_exit(2);
	}
	fclose(file);
	return (double)pages * (double)sysconf(_SC_PAGESIZE) / MEBIBYTE;
}

static double get_peak_memory()
{
	rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss * 1024.0 / MEBIBYTE;
}

static void write_all(int file, const std::vector<char>& bytes)
{
	for (size_t done = 0; done < bytes.size();)
	{
		ssize_t count = write(file, bytes.data() + done, bytes.size() - done);
		if (count <= 0)
		{
			_exit(2);
		}
		done += (size_t)count;
	}
}

static std::vector<char> read_all(int file)
{
	std::vector<char> bytes;
	char buffer[65536];
	for (ssize_t count; (count = read(file, buffer, sizeof(buffer))) > 0;)
	{
		bytes.insert(bytes.end(), buffer, buffer + count);
	}
	return bytes;
}

std::vector<char> compute_in_child(const std::function<std::vector<char>()>& compute)
{
	int ends[2];
	fflush(stdout);
	pid_t child = pipe(ends) == 0 ? fork() : -1;
	if (child == 0)
	{
		close(ends[0]);
		write_all(ends[1], compute());
		_exit(0);
	}
	close(ends[1]);
	std::vector<char> bytes = read_all(ends[0]);
	close(ends[0]);
	int status = 1;
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
	{
		fprintf(stderr, "a measured process failed\n");
		exit(2);
	}
	return bytes;
}

Measurement measure_in_child(const std::function<void()>& work)
{
	// What we have freed must not be room that the work finds for nothing. Before the child starts:
	// its peak begins with what it has then.
	malloc_trim(0);
	std::vector<char> bytes = compute_in_child(
		[&]
		{
			// What the parent has freed must not count as room that the work finds for nothing.
			malloc_trim(0);
			double memory = get_resident_memory();
			double wall = get_wall_seconds();
			double cpu = get_seconds(CLOCK_PROCESS_CPUTIME_ID);
			work();
			Measurement m;
			m.cpu_seconds = get_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
			m.wall_seconds = get_wall_seconds() - wall;
			m.memory = get_peak_memory() - memory;
			const char* begin = reinterpret_cast<const char*>(&m);
			return std::vector<char>(begin, begin + sizeof(m));
		});
	return *reinterpret_cast<const Measurement*>(bytes.data());
}

Measurement best_of(const Measurement& a, const Measurement& b)
{
	Measurement best;
	best.cpu_seconds = std::min(a.cpu_seconds, b.cpu_seconds);
	best.wall_seconds = std::min(a.wall_seconds, b.wall_seconds);
	best.memory = std::min(a.memory, b.memory);
	return best;
}

double find_percentile(std::vector<double>& values, double share)
{
	std::sort(values.begin(), values.end());
	size_t index = (size_t)(share * (double)values.size());
	return values[std::min(index, values.size() - 1)];
}

void print_head(Output output)
{
	if (output == Output::TABLE)
	{
		printf("%-14s %-14s %12s   %-12s %12s %-4s %8s\n", "bench", "scene", "ours", "peer",
			"theirs", "", "ratio");
	}
}

void print_row(Output output, const Row& row)
{
	double ratio = row.ours > 0.0 ? row.theirs / row.ours : 0.0;
	if (output == Output::JSON)
	{
		printf("{\"bench\":\"%s\",\"scene\":\"%s\",\"ours\":%.6g,\"peer\":\"%s\","
			   "\"peer_time\":%.6g,\"unit\":\"%s\",\"ratio\":%.4g}\n",
			row.bench.c_str(), row.scene.c_str(), row.ours, row.peer.c_str(), row.theirs,
			row.unit.c_str(), ratio);
	}
	else
	{
		printf("%-14s %-14s %12.5g   %-12s %12.5g %-4s %7.3gx\n", row.bench.c_str(),
			row.scene.c_str(), row.ours, row.peer.c_str(), row.theirs, row.unit.c_str(), ratio);
	}
	fflush(stdout);
}
