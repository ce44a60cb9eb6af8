// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/version.hpp>
#include <helicity/io/detail/attributes.hpp>
#include <helicity/io/detail/layout.hpp>
#include <helicity/io/detail/new_file.hpp>
#include <helicity/io/detail/pack.hpp>
#include <helicity/io/detail/xdmf.hpp>
#include <helicity/io/snapshot.hpp>

#include <hdf5_hl.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace helicity::io {
namespace {

using detail::ok;

constexpr std::array<const char*, 4> dimensions{"time", "z", "y", "x"};

/// _FillValue: NaN for floats, netCDF's own for integers.
void write_fill(const std::string& path, hid_t dataset, ElementType type)
{
  const float float32 = std::numeric_limits<float>::quiet_NaN();
  const double float64 = std::numeric_limits<double>::quiet_NaN();
  const std::uint8_t uint8 = 255;
  const std::int32_t int32 = -2147483647;
  const std::int64_t int64 = -9223372036854775806;
  const std::array<const void*, 5> values{&uint8, &int32, &int64, &float32, &float64};
  detail::write_number(path, dataset, "_FillValue", detail::file_type(type),
                       detail::memory_type(type), values[static_cast<std::size_t>(type)]);
}

}  // namespace

struct SnapshotWriter::State
{
  std::string prefix;
  comm::Communicator comm;
  comm::Decomposition decomposition;
  SnapshotOptions options;
  detail::Xdmf xdmf;

  detail::NewFile file;
  std::array<detail::Dataset, 4> scales;  ///< of the open file: time, z, y, x
  std::set<std::string> names;

  State(std::string name, comm::Communicator group, comm::Decomposition split,
        SnapshotOptions chosen)
      : prefix(std::move(name)),
        comm(std::move(group)),
        decomposition(std::move(split)),
        options(std::move(chosen)),
        xdmf(prefix, decomposition.cells(), options.coordinates)
  {}
  ~State() { close_scales(); }  // before the file
  void close_scales() { scales = {}; }

  const std::string& path() const { return file.path(); }
  void write_root(std::int64_t step);
  void write_scale(int dimension, const std::vector<double>& values, bool growing);
  void write_time(double time);
  void write_axis(int axis);
  detail::Dataset create(const Variable& variable, ElementType type);
  template <class F>
  void run(F&& f);
};

/// Runs f on all ranks; a failure on one closes and removes the file on all.
template <class F>
void SnapshotWriter::State::run(F&& f)
{
  file.run([this] { close_scales(); }, f);
}

void SnapshotWriter::State::write_root(std::int64_t step)
{
  Attributes root = options.attributes;
  root["Conventions"] = std::string("CF-1.10");
  root["helicity_version"] = std::string(version());
  root["helicity_git_hash"] = std::string(build_info().git_hash);
  root["step"] = step;
  detail::write_attributes(path(), file.id(), root);
}

void SnapshotWriter::State::write_scale(int dimension, const std::vector<double>& values,
                                        bool growing)
{
  const auto d = static_cast<std::size_t>(dimension);
  const hsize_t size = values.size();
  scales[d] = file.create(dimensions[d], H5T_IEEE_F64LE, {size}, {size}, growing, false);
  const hid_t scale = scales[d];
  ok(path(), "H5DSset_scale", H5DSset_scale(scale, dimensions[d]));
  file.write_list(scale, dimensions[d], values);
}

void SnapshotWriter::State::write_time(double time)
{
  write_scale(0, {time}, true);
  Attributes attributes{{"axis", std::string("T")},
                        {"long_name", std::string("time")},
                        {"standard_name", std::string("time")},
                        {"units", options.time_units}};
  if (options.time_units.find(" since ") != std::string::npos)
    attributes["calendar"] = std::string("standard");
  detail::write_attributes(path(), scales[0], attributes);
}

/// Axis 0, 1, 2: x, y, z.
void SnapshotWriter::State::write_axis(int axis)
{
  const auto a = static_cast<std::size_t>(axis);
  std::vector<double> centres(static_cast<std::size_t>(decomposition.cells()[axis]));
  for (std::size_t n = 0; n < centres.size(); ++n)
    centres[n] = options.coordinates.origin[a] +
                 (static_cast<double>(n) + 0.5) * options.coordinates.spacing[a];
  write_scale(3 - axis, centres, false);
  const std::string name = dimensions[3 - a];
  Attributes attributes{{"axis", std::string(1, static_cast<char>('X' + axis))},
                        {"long_name", name + " of the cell centre"},
                        {"units", options.coordinates.units}};
  if (axis == 2) attributes["positive"] = std::string("up");
  detail::write_attributes(path(), scales[3 - a], attributes);
}

detail::Dataset SnapshotWriter::State::create(const Variable& variable, ElementType type)
{
  const Index3 n = decomposition.cells(), chunk = detail::chunk_of(n, size_of(type));
  const auto size = [](Index i) { return static_cast<hsize_t>(i); };
  detail::Dataset dataset =
      file.create(variable.name, detail::file_type(type), {1, size(n.k), size(n.j), size(n.i)},
                  {1, size(chunk.k), size(chunk.j), size(chunk.i)}, true, options.compress);
  for (unsigned d = 0; d < 4; ++d)
    ok(path(), "H5DSattach_scale", H5DSattach_scale(dataset, scales[d], d));
  detail::write_attribute(path(), dataset, "long_name", variable.long_name);
  detail::write_attribute(path(), dataset, "units", variable.units);
  write_fill(path(), dataset, type);
  return dataset;
}

SnapshotWriter::SnapshotWriter(std::string prefix, comm::Communicator comm,
                               comm::Decomposition decomposition, SnapshotOptions options)
{
  detail::require_ranks(comm, decomposition);
  if (comm.size() > 1 && !detail::parallel_hdf5())
    throw UsageError("several ranks cannot write a file: HDF5 was built without MPI");
  state_ = std::make_unique<State>(std::move(prefix), std::move(comm), std::move(decomposition),
                                   std::move(options));
}

SnapshotWriter::~SnapshotWriter()
{
  const detail::Quiet quiet;
  state_.reset();
}
SnapshotWriter::SnapshotWriter(SnapshotWriter&&) noexcept = default;
SnapshotWriter& SnapshotWriter::operator=(SnapshotWriter&&) noexcept = default;

void SnapshotWriter::begin(std::int64_t step, double time)
{
  const detail::Quiet quiet;
  State& s = *state_;
  if (s.file.open()) throw UsageError("a snapshot is open already: " + s.path());
  if (step < 0) throw UsageError("the step of a snapshot is negative");
  s.names = {dimensions.begin(), dimensions.end()};
  s.options.attributes =
      detail::Unpacker(s.comm.broadcast(detail::Packer().attributes(s.options.attributes).bytes()))
          .attributes();
  s.file = detail::NewFile(fmt::format("{}_{:09}.h5", s.prefix, step), s.comm);
  s.run([&] {
    s.write_root(step);
    s.write_time(time);
    for (int axis = 2; axis >= 0; --axis) s.write_axis(axis);
  });
}

void SnapshotWriter::write_block(const Variable& variable, ElementType type, const void* block)
{
  const detail::Quiet quiet;
  State& s = *state_;
  if (!s.file.open()) throw UsageError("no snapshot is open to write " + variable.name + " to");
  detail::require_name(variable.name);
  if (!s.names.insert(variable.name).second)
    throw UsageError("a snapshot has a variable " + variable.name + " already");
  const std::size_t bytes =
      static_cast<std::size_t>(volume(s.decomposition.cells())) * size_of(type);
  if (!s.options.compress) s.run([&] { s.file.require_space(bytes); });
  s.run([&] {
    const detail::Dataset dataset = s.create(variable, type);
    s.file.write_block(dataset, variable.name, type, s.decomposition.box(s.comm.rank()), 0, block);
  });
}

std::string SnapshotWriter::end()
{
  const detail::Quiet quiet;
  State& s = *state_;
  if (!s.file.open()) throw UsageError("no snapshot is open to end");
  s.close_scales();
  s.file.commit();
  const std::string path = s.path();
  detail::on_first_rank(s.comm, [&] { s.xdmf.update(path); });
  return path;
}

}  // namespace helicity::io
