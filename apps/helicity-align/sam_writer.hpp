// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "writer.hpp"

#include <memory>

namespace helicity::app {

/// SAM and BAM: a record for each pair; with --all, one for each target that the query aligns to,
/// in target order, all but the best (the first of equals) secondary; unmapped if there is none.
/// @throws InputError if targets of one name differ in length
std::unique_ptr<Writer> make_sam_writer(const Options& options, const TargetFile& targets);

}  // namespace helicity::app
