// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/job/simulation.hpp>

#include <functional>
#include <string>
#include <vector>

/// What solvers need to answer Simulation's questions. `values` are those of this rank's cells, i
/// fastest. Collective.
namespace helicity::job {

/// The cells in the middle of `axis` of all ranks, whole on rank 0.
HELICITY_EXPORT Simulation::Slice middle_slice(const comm::Communicator& comm,
                                               const comm::Decomposition& decomposition,
                                               const std::vector<double>& values, int axis);

/// The values of all ranks, i fastest, on every rank.
HELICITY_EXPORT std::vector<double> whole_values(const comm::Communicator& comm,
                                                 const comm::Decomposition& decomposition,
                                                 const std::vector<double>& values);

/// Simulation::values_at: block(variable) gives this rank's values, on every rank.
HELICITY_EXPORT std::vector<double> values_at(
    const comm::Communicator& comm, const comm::Decomposition& decomposition,
    const std::vector<Index3>& cells, const std::vector<std::string>& variables,
    const std::function<std::vector<double>(const std::string& variable)>& block);

}  // namespace helicity::job
