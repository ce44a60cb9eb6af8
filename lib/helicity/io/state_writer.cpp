// SPDX-License-Identifier: Apache-2.0
#include <helicity/io/detail/attributes.hpp>
#include <helicity/io/detail/layout.hpp>
#include <helicity/io/detail/new_file.hpp>
#include <helicity/io/detail/state_format.hpp>
#include <helicity/io/state_file.hpp>

#include <set>

namespace helicity::io {

namespace state = detail::state;

struct StateWriter::State
{
  comm::Communicator comm;
  comm::Decomposition decomposition;
  detail::NewFile file;
  Attributes attributes;
  std::set<std::string> names;

  detail::Dataset dataset;  ///< the one begun
  std::string name;
  ElementType type = ElementType::uint8;
  int components = 0, next = 0;
  std::uint64_t hash = 0;  ///< of this rank's blocks

  ~State() { close_dataset(); }  // before the file

  void require_open() const;
  void close_dataset() { const detail::Dataset closed = std::move(dataset); }

  /// Runs f on all ranks; a failure on one closes and removes the file on all.
  template <class F>
  void run(F&& f)
  {
    file.run([this] { close_dataset(); }, f);
  }
  void write_header();
};

void StateWriter::State::require_open() const
{
  if (!file.open()) throw UsageError("a state file was committed, or failed, and is used again");
}

void StateWriter::State::write_header()
{
  const std::string& path = file.path();
  const Index3 n = decomposition.cells();
  const std::int64_t cells[3] = {n.i, n.j, n.k};
  const std::uint64_t sum = state::checksum_of(attributes, n);
  detail::write_attribute(path, file.id(), "kind", std::string(state::kind));
  detail::write_attribute(path, file.id(), "version", state::version);
  detail::write_number(path, file.id(), "cells", H5T_STD_I64LE, H5T_NATIVE_INT64, cells, 3);
  detail::write_number(path, file.id(), state::checksum, H5T_STD_U64LE, H5T_NATIVE_UINT64, &sum);
  const detail::Properties untimed(detail::ok(path, "H5Pcreate", H5Pcreate(H5P_GROUP_CREATE)));
  detail::ok(path, "H5Pset_obj_track_times", H5Pset_obj_track_times(untimed, false));
  const detail::Group group(detail::ok(
      path, "H5Gcreate2",
      H5Gcreate2(file.id(), state::attributes_group, H5P_DEFAULT, untimed, H5P_DEFAULT)));
  detail::write_attributes(path, group, attributes);
}

StateWriter::StateWriter(std::string path, comm::Communicator comm,
                         comm::Decomposition decomposition)
    : state_(std::make_unique<State>())
{
  const detail::Quiet quiet;
  detail::require_ranks(comm, decomposition);
  state_->comm = comm;
  state_->decomposition = std::move(decomposition);
  state_->file = detail::NewFile(std::move(path), std::move(comm));
}

StateWriter::~StateWriter()
{
  const detail::Quiet quiet;
  state_.reset();
}
StateWriter::StateWriter(StateWriter&&) noexcept = default;
StateWriter& StateWriter::operator=(StateWriter&&) noexcept = default;

void StateWriter::attribute(const std::string& name, const Value& value)
{
  if (name.empty()) throw UsageError("an attribute of a state has no name");
  state_->attributes[name] = value;
}

void StateWriter::begin_dataset(const std::string& name, ElementType type, int components)
{
  const detail::Quiet quiet;
  State& s = *state_;
  s.require_open();
  detail::require_name(name);
  if (s.dataset.open()) throw UsageError("dataset " + s.name + " was not ended");
  if (components < 1) throw UsageError("dataset " + name + " needs a component");
  if (name == state::attributes_group || !s.names.insert(name).second)
    throw UsageError("a state has a dataset " + name + " already");
  const Index3 n = s.decomposition.cells(), chunk = detail::chunk_of(n, size_of(type));
  const auto size = [](Index i) { return static_cast<hsize_t>(i); };
  const std::size_t bytes = static_cast<std::size_t>(components * volume(n)) * size_of(type);
  s.run([&] { s.file.require_space(bytes); });
  s.run([&] {
    s.dataset = s.file.create(name, detail::file_type(type),
                              {size(components), size(n.k), size(n.j), size(n.i)},
                              {1, size(chunk.k), size(chunk.j), size(chunk.i)}, false, false);
  });
  s.name = name;
  s.type = type;
  s.components = components;
  s.next = 0;
  s.hash = 0;
}

void StateWriter::write_component(int component, const void* block)
{
  const detail::Quiet quiet;
  State& s = *state_;
  s.require_open();
  if (!s.dataset.open() || component != s.next || component >= s.components)
    throw UsageError("components of a dataset are written one after another, each once");
  const grid::Box box = s.decomposition.box(s.comm.rank());
  s.run([&] {
    s.file.write_block(s.dataset, s.name, s.type, box, static_cast<hsize_t>(component), block);
  });
  s.hash += detail::hash_block(s.type, block, s.decomposition.cells(), box, component);
  ++s.next;
}

void StateWriter::end_dataset()
{
  const detail::Quiet quiet;
  State& s = *state_;
  s.require_open();
  if (!s.dataset.open() || s.next != s.components)
    throw UsageError("a dataset ends when all its components are written");
  const std::uint64_t sum = s.comm.sum(s.hash);
  s.run([&] {
    detail::write_number(s.file.path(), s.dataset, state::checksum, H5T_STD_U64LE,
                         H5T_NATIVE_UINT64, &sum);
  });
  s.close_dataset();
}

void StateWriter::commit()
{
  const detail::Quiet quiet;
  State& s = *state_;
  s.require_open();
  if (s.dataset.open()) throw UsageError("dataset " + s.name + " was not ended");
  const std::string first = s.comm.broadcast(detail::Packer().attributes(s.attributes).bytes());
  s.attributes = detail::Unpacker(first).attributes();
  s.run([&] { s.write_header(); });
  s.file.commit();
}

}  // namespace helicity::io
