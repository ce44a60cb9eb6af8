// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>
#include <helicity/io/block.hpp>
#include <helicity/io/metadata.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helicity::io::detail {

/// What PREFIX.xmf says of one snapshot.
struct XdmfStep
{
  double time = 0;
  std::vector<std::pair<std::string, ElementType>> variables;
};

/// The snapshots of a prefix and PREFIX.xmf, which describes them to ParaView. Used by one rank.
class Xdmf
{
 public:
  Xdmf(std::string prefix, Index3 cells, Coordinates coordinates);

  /// Looks again which snapshots there are, reads those not known yet and `changed`, and rewrites
  /// PREFIX.xmf. Snapshots that cannot be read, or are of another grid, are left out with a
  /// warning.
  /// @throws RuntimeFault if it cannot be written
  void update(const std::string& changed);

 private:
  std::string text() const;

  std::string prefix_;
  Index3 cells_;
  Coordinates coordinates_;
  std::map<std::string, XdmfStep> steps_;  // by the name of the file, without folder
};

}  // namespace helicity::io::detail
