// SPDX-License-Identifier: Apache-2.0
// The place of the files that need HDF5 where there is none.
#include <helicity/core/error.hpp>
#include <helicity/io/process.hpp>
#include <helicity/io/raster.hpp>
#include <helicity/io/snapshot.hpp>
#include <helicity/io/state_file.hpp>

namespace helicity::io {
namespace {

[[noreturn]] void no_hdf5()
{
  throw UsageError("the library was built without HDF5: no snapshots and no restart files");
}

}  // namespace

struct SnapshotWriter::State
{};
struct StateWriter::State
{};
struct StateReader::State
{};

SnapshotWriter::SnapshotWriter(std::string, comm::Communicator, comm::Decomposition,
                               SnapshotOptions)
{
  no_hdf5();
}
SnapshotWriter::~SnapshotWriter() = default;
SnapshotWriter::SnapshotWriter(SnapshotWriter&&) noexcept = default;
SnapshotWriter& SnapshotWriter::operator=(SnapshotWriter&&) noexcept = default;
void SnapshotWriter::begin(std::int64_t, double) { no_hdf5(); }
void SnapshotWriter::write_block(const Variable&, ElementType, const void*) { no_hdf5(); }
std::string SnapshotWriter::end() { no_hdf5(); }

StateWriter::StateWriter(std::string, comm::Communicator, comm::Decomposition) { no_hdf5(); }
StateWriter::~StateWriter() = default;
StateWriter::StateWriter(StateWriter&&) noexcept = default;
StateWriter& StateWriter::operator=(StateWriter&&) noexcept = default;
void StateWriter::attribute(const std::string&, const Value&) { no_hdf5(); }
void StateWriter::begin_dataset(const std::string&, ElementType, int) { no_hdf5(); }
void StateWriter::write_component(int, const void*) { no_hdf5(); }
void StateWriter::end_dataset() { no_hdf5(); }
void StateWriter::commit() { no_hdf5(); }

StateReader::StateReader(std::string, comm::Communicator, comm::Decomposition) { no_hdf5(); }
StateReader::~StateReader() = default;
StateReader::StateReader(StateReader&&) noexcept = default;
StateReader& StateReader::operator=(StateReader&&) noexcept = default;
const Attributes& StateReader::attributes() const { no_hdf5(); }
const Value& StateReader::required_attribute(const std::string&) const { no_hdf5(); }
void StateReader::wrong_type(const std::string&) const { no_hdf5(); }
void StateReader::begin_dataset(const std::string&, ElementType, int) { no_hdf5(); }
void StateReader::read_component(int, void*) { no_hdf5(); }
void StateReader::end_dataset() { no_hdf5(); }
void StateReader::verify() { no_hdf5(); }

std::vector<std::uint8_t> read_mask(const std::string&, const std::string&,
                                    const comm::Communicator&, const comm::Decomposition&)
{
  no_hdf5();
}

Raster read_raster(const std::string&, const std::string&) { no_hdf5(); }

void leave_hdf5_alone_at_exit() noexcept {}

}  // namespace helicity::io
