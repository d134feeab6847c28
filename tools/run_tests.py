# SPDX-License-Identifier: MIT
"""Run cmocka programs one after the other, and count their tests.

    python3 tools/run_tests.py PROGRAM...

All programs run, whatever the first ones do. The last line is `N passed, M failed`, with the number
of skipped tests behind it if there are any. A program that crashes, hangs, fails without naming a
test or runs no test at all counts as one failure.
"""

import re
import subprocess
import sys
import time

TIMEOUT_SECONDS = 300
RESULT = re.compile(r"^\[ *(RUN|OK|FAILED|SKIPPED) *\] (.*)$")


def count_results(output):
    """Return how many tests passed, failed and were skipped. A test without an end has failed."""
    counts = {"OK": 0, "FAILED": 0, "SKIPPED": 0}
    is_running = False
    for line in output.splitlines():
        match = RESULT.match(line)
        if match and match[1] == "RUN":
            counts["FAILED"] += is_running
            is_running = True
        elif match and is_running:
            counts[match[1]] += 1
            is_running = False
    counts["FAILED"] += is_running
    return counts["OK"], counts["FAILED"], counts["SKIPPED"]


def run(program):
    """Run one program, print what it says, and return (output, what went wrong or None)."""
    try:
        result = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
        data, code = result.stdout, result.returncode
        problem = f"ended with {code}" if code != 0 else None
    except subprocess.TimeoutExpired as error:
        data, problem = error.stdout or b"", f"was stopped after {TIMEOUT_SECONDS} s"
    output = data.decode("utf-8", "replace")
    sys.stdout.write(output)
    return output, problem


def main(programs):
    total = [0, 0, 0]
    failures = []
    for program in programs:
        start = time.monotonic()
        output, problem = run(program)
        passed, failed, skipped = count_results(output)
        if passed + failed + skipped == 0:
            problem = problem or "ran no test"
        if problem and failed == 0:
            failed = 1
        if failed:
            failures.append(f"{program} {problem or 'has failing tests'}")
        total = [total[0] + passed, total[1] + failed, total[2] + skipped]
        seconds = time.monotonic() - start
        print(f"{program}: {passed} passed, {failed} failed, {seconds:.1f} s\n", flush=True)

    for failure in failures:
        print(f"FAILED: {failure}")
    if total[2]:
        print(f"{total[2]} tests were skipped.")
    print(f"{total[0]} passed, {total[1]} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
