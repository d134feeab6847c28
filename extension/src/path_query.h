// SPDX-License-Identifier: MIT
#pragma once

// classes CorridorPathQueryParameters and CorridorPathQueryResult: RefCounted, for query_path().

/// Register both classes.
void path_query_register(void);
