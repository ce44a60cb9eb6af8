// SPDX-License-Identifier: Apache-2.0
// Every rank reads its box by itself (no MPI-IO): what a damaged file makes HDF5 do on one rank
// cannot hold up another; the ranks agree on the outcome after each read.
#include <helicity/core/text.hpp>
#include <helicity/io/detail/agree.hpp>
#include <helicity/io/detail/layout.hpp>
#include <helicity/io/detail/state_header.hpp>
#include <helicity/io/state_file.hpp>

namespace helicity::io {

namespace state = detail::state;

struct StateReader::State
{
  std::string path;
  comm::Communicator comm;
  comm::Decomposition decomposition;
  state::Header header;
  detail::File file;

  detail::Dataset dataset;  ///< the one begun
  std::string name;
  state::Stored stored;
  int next = 0;
  std::uint64_t hash = 0;  ///< of this rank's blocks

  ~State() { const detail::Dataset before_the_file = std::move(dataset); }

  grid::Box box() const { return decomposition.box(comm.rank()); }
  const state::Stored& find(const std::string& dataset_name) const;
  void begin(const std::string& dataset_name);
  template <class F>
  void read(F&& f);
};

const state::Stored& StateReader::State::find(const std::string& dataset_name) const
{
  const auto found = header.datasets.find(dataset_name);
  if (found != header.datasets.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, unused] : header.datasets) names.push_back(known);
  throw InputError(path + ": has no dataset " + dataset_name + " (it has " + join(names, ", ") +
                   ")");
}

/// Runs f on all ranks; a failure ends the dataset.
template <class F>
void StateReader::State::read(F&& f)
{
  const detail::Outcome outcome = detail::agreed(
      comm, detail::attempt([&] { detail::reading(path + ": dataset " + name, f); }));
  if (outcome.kind == detail::Outcome::Kind::good) return;
  {
    const detail::Dataset ended = std::move(dataset);
  }
  raise(outcome);
}

void StateReader::State::begin(const std::string& dataset_name)
{
  name = dataset_name;
  read([&] {
    dataset =
        detail::Dataset(detail::ok(path, "H5Dopen2", H5Dopen2(file, name.c_str(), H5P_DEFAULT)));
  });
  next = 0;
  hash = 0;
}

StateReader::StateReader(std::string path, comm::Communicator comm,
                         comm::Decomposition decomposition)
    : state_(std::make_unique<State>())
{
  const detail::Quiet quiet;
  detail::require_ranks(comm, decomposition);
  State& s = *state_;
  s.path = std::move(path);
  s.comm = std::move(comm);
  s.decomposition = std::move(decomposition);
  s.header = detail::read_header(s.path, s.comm, s.decomposition.cells());
  detail::together(s.comm, [&] { s.file = detail::open_input(s.path); });
}

StateReader::~StateReader()
{
  const detail::Quiet quiet;
  state_.reset();
}
StateReader::StateReader(StateReader&&) noexcept = default;
StateReader& StateReader::operator=(StateReader&&) noexcept = default;

const Attributes& StateReader::attributes() const { return state_->header.attributes; }

const Value& StateReader::required_attribute(const std::string& name) const
{
  const auto found = attributes().find(name);
  if (found == attributes().end()) throw InputError(state_->path + ": has no attribute " + name);
  return found->second;
}

void StateReader::wrong_type(const std::string& name) const
{
  throw InputError(state_->path + ": attribute " + name + " is of another type");
}

void StateReader::begin_dataset(const std::string& name, ElementType type, int components)
{
  const detail::Quiet quiet;
  State& s = *state_;
  if (s.dataset.open()) throw UsageError("dataset " + s.name + " was not ended");
  const state::Stored& stored = s.find(name);
  const auto describe = [](int count, ElementType t) {
    return std::to_string(count) + " of " + detail::to_string(t);
  };
  if (stored.type != type || stored.components != components)
    throw InputError(s.path + ": dataset " + name + " has components " +
                     describe(stored.components, stored.type) + "; wanted " +
                     describe(components, type));
  s.stored = stored;
  s.begin(name);
}

void StateReader::read_component(int component, void* block)
{
  const detail::Quiet quiet;
  State& s = *state_;
  if (!s.dataset.open() || component != s.next || component >= s.stored.components)
    throw UsageError("components of a dataset are read one after another, each once");
  s.read([&] {
    const auto where =
        detail::select(s.path, s.dataset, {static_cast<hsize_t>(component)}, s.box());
    detail::ok(s.path, "H5Dread",
               H5Dread(s.dataset, detail::memory_type(s.stored.type), where.memory, where.file,
                       H5P_DEFAULT, block));
  });
  s.hash += detail::hash_block(s.stored.type, block, s.decomposition.cells(), s.box(), component);
  ++s.next;
}

void StateReader::end_dataset()
{
  const detail::Quiet quiet;
  State& s = *state_;
  if (!s.dataset.open() || s.next != s.stored.components)
    throw UsageError("a dataset ends when all its components are read");
  {
    const detail::Dataset ended = std::move(s.dataset);
  }
  if (s.comm.sum(s.hash) != s.stored.checksum)
    throw InputError(s.path + ": damaged: dataset " + s.name + " does not match its checksum");
}

void StateReader::verify()
{
  State& s = *state_;
  std::vector<std::byte> block;
  for (const auto& [name, stored] : s.header.datasets) {
    begin_dataset(name, stored.type, stored.components);
    block.resize(static_cast<std::size_t>(s.box().cells()) * size_of(stored.type));
    for (int c = 0; c < stored.components; ++c) read_component(c, block.data());
    end_dataset();
  }
}

}  // namespace helicity::io
