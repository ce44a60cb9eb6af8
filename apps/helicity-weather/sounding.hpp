// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace helicity::app {

/// helicity-weather sounding: argv[0] is "sounding". Returns the exit code.
int tell_sounding(int argc, char** argv);

}  // namespace helicity::app
