// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace helicity::comm::detail {

/// The CPUs of this process: '1' at the place of each that it may use.
std::string affinity();

/// Do two such masks share a CPU?
bool overlap(const std::string& a, const std::string& b);

std::string host_name();

}  // namespace helicity::comm::detail
