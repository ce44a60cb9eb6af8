// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/text.hpp>
#include <helicity/io/detail/agree.hpp>
#include <helicity/io/detail/layout.hpp>
#include <helicity/io/detail/state_header.hpp>
#include <helicity/io/state_file.hpp>

#include <algorithm>

namespace helicity::io {
namespace {

std::string describe(const std::vector<hsize_t>& size)
{
  std::string text;
  for (const hsize_t n : size) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text.empty() ? "a single value" : text;
}

class Mask
{
 public:
  Mask(const std::string& path, const std::string& name)
      : path_(path), name_(name), file_(detail::open_input(path))
  {
    dataset_ = detail::Dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT));
    if (!dataset_.open()) throw InputError(path + ": has no dataset " + name);
  }

  /// @throws InputError if the type or the shape is not that of a mask of this grid
  void require(Index3 cells)
  {
    const detail::Type type(detail::ok(path_, "H5Dget_type", H5Dget_type(dataset_)));
    const H5T_class_t kind = H5Tget_class(type);
    if (kind != H5T_INTEGER && kind != H5T_ENUM)  // h5py writes bool as an enumeration
      throw InputError(where() + " holds no whole numbers");
    const std::vector<hsize_t> found = size();
    std::vector<hsize_t> wanted;
    for (int axis = 2; axis >= 0; --axis) wanted.push_back(static_cast<hsize_t>(cells[axis]));
    flat_ = cells.k == 1 && found.size() == 2;
    if (flat_) wanted.erase(wanted.begin());
    if (found != wanted)
      throw InputError(where() + " is " + describe(found) + "; wanted " + describe(wanted) +
                       " (z, y, x)");
  }

  std::vector<std::uint8_t> read(const grid::Box& box)
  {
    std::vector<std::uint8_t> all;
    all.reserve(static_cast<std::size_t>(box.cells()));
    for (Index k = box.lo.k; k < box.hi.k; ++k) read_plane(box, k, all);
    return all;
  }

 private:
  std::string where() const { return path_ + ": dataset " + name_; }

  std::vector<hsize_t> size() const
  {
    const detail::Space space(detail::ok(path_, "H5Dget_space", H5Dget_space(dataset_)));
    const int rank =
        detail::ok(path_, "H5Sget_simple_extent_ndims", H5Sget_simple_extent_ndims(space));
    std::vector<hsize_t> found(static_cast<std::size_t>(rank));
    detail::ok(path_, "H5Sget_simple_extent_dims",
               H5Sget_simple_extent_dims(space, found.data(), nullptr));
    return found;
  }

  void read_plane(const grid::Box& box, Index k, std::vector<std::uint8_t>& all)
  {
    grid::Box plane = box;
    plane.lo.k = k;
    plane.hi.k = k + 1;
    std::vector<std::int64_t> values(static_cast<std::size_t>(plane.cells()));
    const auto selection = detail::select(path_, dataset_, {}, plane, flat_);
    detail::ok(path_, "H5Dread",
               H5Dread(dataset_, H5T_NATIVE_INT64, selection.memory, selection.file, H5P_DEFAULT,
                       values.data()));
    for (const std::int64_t value : values) {
      if (value < 0 || value > 255)
        throw InputError(where() + " holds " + std::to_string(value) + "; wanted 0 to 255");
      all.push_back(static_cast<std::uint8_t>(value));
    }
  }

  std::string path_, name_;
  detail::File file_;
  detail::Dataset dataset_;
  bool flat_ = false;  // two dimensions: y, x
};

}  // namespace

std::vector<std::uint8_t> read_mask(const std::string& path, const std::string& dataset,
                                    const comm::Communicator& comm,
                                    const comm::Decomposition& decomposition)
{
  const detail::Quiet quiet;
  detail::require_ranks(comm, decomposition);
  std::vector<std::uint8_t> mask;
  const auto read = [&](bool data) {
    detail::reading(path, [&] {
      Mask file(path, dataset);
      file.require(decomposition.cells());
      if (data) mask = file.read(decomposition.box(comm.rank()));
    });
  };
  detail::on_first_rank(comm, [&] { read(false); });
  detail::together(comm, [&] { read(true); });
  return mask;
}

}  // namespace helicity::io
