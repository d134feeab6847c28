#!/bin/bash
# SPDX-License-Identifier: MIT
# Compare our diagrams with those of Boost.Polygon and CGAL on all scenes: the regular ones in full
# size, and 2,000 random ones of each kind, which tests/oracle.sh has not seen.
#
#   tools/soak oracle [FIRST_SEED]

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

status=0
tests/oracle.sh "${1:-10000}" 2000 || status=1
build/oracle_diagram city:98 city17:98 random:100000 || status=1
exit "$status"
