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
#include <vector>

namespace helicity::io {

/// Writes the state of a simulation to one HDF5 file of global arrays, whatever the decomposition.
/// Every dataset carries a checksum of its values and places; the file has its name only when it is
/// whole (written as PATH.tmp beside, closed, synced, renamed, folder synced). Collective.
///
///     StateWriter out("run/restart_000001000.h5", comm, decomposition);
///     out.attribute("step", std::int64_t{1000});
///     out.write("population", populations);     // all components: a 4-D array
///     out.commit();
///
/// @throws as SnapshotWriter
class HELICITY_EXPORT StateWriter
{
 public:
  StateWriter(std::string path, comm::Communicator comm, comm::Decomposition decomposition);
  ~StateWriter();  ///< without commit(): the file beside is removed
  StateWriter(StateWriter&&) noexcept;
  StateWriter& operator=(StateWriter&&) noexcept;

  void attribute(const std::string& name, const Value& value);

  template <class T>
  void write(const std::string& name, const grid::Field<T>& field)
  {
    begin_dataset(name, element_type<T>(), field.shape().components);
    for (int c = 0; c < field.shape().components; ++c)
      write_component(c, gather_block(field, c).data());
    end_dataset();
  }

  /// The same in steps, for states that are made component by component: this rank's blocks.
  void begin_dataset(const std::string& name, ElementType type, int components);
  void write_component(int component, const void* block);
  void end_dataset();

  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads what StateWriter wrote, on any number of ranks. Every dataset is verified against its
/// checksum as it is read. Collective.
/// @throws InputError, the same on every rank: the file is missing, truncated, damaged (which
///   dataset), of another kind or version, or its grid is not the decomposition's; one line that
///   names the file. RuntimeFault for failures of the system
class HELICITY_EXPORT StateReader
{
 public:
  StateReader(std::string path, comm::Communicator comm, comm::Decomposition decomposition);
  ~StateReader();
  StateReader(StateReader&&) noexcept;
  StateReader& operator=(StateReader&&) noexcept;

  const Attributes& attributes() const;

  /// The attribute as T = int64_t, double or std::string. @throws InputError if it is not there
  template <class T>
  T attribute(const std::string& name) const
  {
    const Value& v = required_attribute(name);
    if (const T* value = std::get_if<T>(&v)) return *value;
    wrong_type(name);
  }

  /// Reads a dataset into the owned cells of a field of the same type and number of components.
  template <class T>
  void read(const std::string& name, grid::Field<T>& field)
  {
    begin_dataset(name, element_type<T>(), field.shape().components);
    std::vector<T> block(static_cast<std::size_t>(field.owned().cells()));
    for (int c = 0; c < field.shape().components; ++c) {
      read_component(c, block.data());
      scatter_block(field, c, block);
    }
    end_dataset();
  }

  void begin_dataset(const std::string& name, ElementType type, int components);
  void read_component(int component, void* block);
  void end_dataset();  ///< verifies

  /// Reads and verifies every dataset, keeping nothing.
  void verify();

 private:
  const Value& required_attribute(const std::string& name) const;
  [[noreturn]] void wrong_type(const std::string& name) const;

  struct State;
  std::unique_ptr<State> state_;
};

/// Reads this rank's box of a 3-D dataset (z, y, x; any integer type) of any HDF5 or netCDF-4 file:
/// masks. A grid with nk = 1 also takes a 2-D dataset. Collective.
/// @throws InputError naming file, dataset, and the shape found and wanted
HELICITY_EXPORT std::vector<std::uint8_t> read_mask(const std::string& path,
                                                    const std::string& dataset,
                                                    const comm::Communicator& comm,
                                                    const comm::Decomposition& decomposition);

}  // namespace helicity::io
