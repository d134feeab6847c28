// SPDX-License-Identifier: MIT
#pragma once

#include "options.h"

/// What a command says to the shell.
typedef enum ExitCode
{
	EXIT_CODE_YES = 0, ///< it worked
	EXIT_CODE_NO = 1,  ///< it worked, and the answer is no, or a check failed
	EXIT_CODE_BAD = 2, ///< the usage or the input is bad
} ExitCode;

/// Run a command: its result goes to stdout, messages go to stderr. One file each.
typedef ExitCode CommandFn(const Options* options);

CommandFn command_build;
CommandFn command_check;
CommandFn command_dump;
CommandFn command_edit;
CommandFn command_query;
CommandFn command_render;
CommandFn command_scen;
CommandFn command_steer;
