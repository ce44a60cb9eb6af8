// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/io/block.hpp>
#include <helicity/io/metadata.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace helicity::io {

struct SnapshotOptions
{
  bool compress = false;  ///< shuffle + deflate 1
  Coordinates coordinates;
  std::string time_units = "seconds since 2000-01-01 00:00:00";  ///< CF; "1" for plain numbers
  Attributes attributes;  ///< of the root: title, configuration, ... (versions are added)
};

/// Name and meaning of a variable, as CF wants them.
struct Variable
{
  std::string name;   ///< "velocity_x": a letter, then letters, digits, _
  std::string units;  ///< UDUNITS text, "1" if dimensionless
  std::string long_name;
};

/// Writes snapshots PREFIX_<step, 9 digits>.h5, one file per time for all ranks: HDF5 that netCDF-4
/// tools, xarray and h5py open (dimensions time, z, y, x with coordinates; CF attributes), and
/// PREFIX.xmf beside them for ParaView, a temporal collection of every snapshot of this prefix.
/// Collective chunked writes with a checksum (fletcher32); no time stamps, so that equal data make
/// equal files. A file has its name only when it is whole: it is written beside, synced, renamed.
///
///     SnapshotWriter out("run/flow", comm, decomposition, options);
///     out.begin(step, time);
///     out.write({"density", "kg m-3", "density"}, rho);
///     out.end();
///
/// All functions are collective. @throws UsageError if the library was built without HDF5, or there
/// are several ranks and HDF5 is serial; RuntimeFault with the file and the HDF5 error
class HELICITY_EXPORT SnapshotWriter
{
 public:
  SnapshotWriter(std::string prefix, comm::Communicator comm, comm::Decomposition decomposition,
                 SnapshotOptions options);
  ~SnapshotWriter();  ///< what was begun and not ended is removed
  SnapshotWriter(SnapshotWriter&&) noexcept;
  SnapshotWriter& operator=(SnapshotWriter&&) noexcept;

  /// @throws UsageError if a snapshot is open already
  void begin(std::int64_t step, double time);

  /// Writes one component of a field over the whole grid.
  template <class T>
  void write(const Variable& variable, const grid::Field<T>& field, int component = 0)
  {
    write_block(variable, element_type<T>(), gather_block(field, component).data());
  }

  /// The same from this rank's block, contiguous, i fastest.
  void write_block(const Variable& variable, ElementType type, const void* block);

  /// Closes and names the file, and rewrites PREFIX.xmf. Returns the file's name.
  std::string end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace helicity::io
