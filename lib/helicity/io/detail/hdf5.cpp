// SPDX-License-Identifier: Apache-2.0
#include <helicity/io/detail/hdf5.hpp>
#include <helicity/io/process.hpp>

namespace helicity::io::detail {
namespace {

bool failed = false;  // HDF5 is used by one thread at a time

extern "C" herr_t keep_first(unsigned, const H5E_error2_t* error, void* text)
{
  std::string& first = *static_cast<std::string*>(text);
  if (first.empty() && error->desc != nullptr) first = error->desc;
  return 0;
}

/// "file write failed: time = ..., error message = 'No space left', buf = ...": without the rest.
std::string shortened(const std::string& text)
{
  const std::string mark = "error message = '";
  const auto first = text.find(": time = "), message = text.find(mark);
  if (first == std::string::npos || message == std::string::npos) return text;
  const auto from = message + mark.size();
  return text.substr(0, first) + ": " + text.substr(from, text.find('\'', from) - from);
}

/// Files get their names when they are whole, so that locks protect nothing, and some file systems
/// have none. HDF5 knows this property since 1.10.7.
template <class Id>
herr_t without_locks(Id access)
{
  if constexpr (requires { H5Pset_file_locking(access, false, true); })
    return H5Pset_file_locking(access, false, true);
  else
    return 0;
}

}  // namespace

Quiet::Quiet()
{
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet()
{
  if (!failed) H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

std::string error_text()
{
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);  // the innermost first
  text = shortened(text);
  for (char& c : text)
    if (c == '\n') c = ' ';
  if (text.empty()) text = "HDF5 gives no cause";
  if (text.find("unable to lock") != std::string::npos)
    text += " (on a file system without locks, set HDF5_USE_FILE_LOCKING=FALSE)";
  return text;
}

void fail(const std::string& file, const char* call)
{
  failed = true;
  throw Hdf5Fault(file, call, error_text());
}

hid_t memory_type(ElementType type)
{
  switch (type) {
    case ElementType::uint8: return H5T_NATIVE_UINT8;
    case ElementType::int32: return H5T_NATIVE_INT32;
    case ElementType::int64: return H5T_NATIVE_INT64;
    case ElementType::float32: return H5T_NATIVE_FLOAT;
    case ElementType::float64: return H5T_NATIVE_DOUBLE;
  }
  throw UsageError("unknown element type");
}

hid_t file_type(ElementType type)
{
  switch (type) {
    case ElementType::uint8: return H5T_STD_U8LE;
    case ElementType::int32: return H5T_STD_I32LE;
    case ElementType::int64: return H5T_STD_I64LE;
    case ElementType::float32: return H5T_IEEE_F32LE;
    case ElementType::float64: return H5T_IEEE_F64LE;
  }
  throw UsageError("unknown element type");
}

Properties serial_access(const std::string& file)
{
  Properties access(ok(file, "H5Pcreate", H5Pcreate(H5P_FILE_ACCESS)));
  ok(file, "H5Pset_libver_bounds", H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
  ok(file, "H5Pset_fclose_degree", H5Pset_fclose_degree(access, H5F_CLOSE_SEMI));
  ok(file, "H5Pset_file_locking", without_locks<hid_t>(access));
  return access;
}

Properties shared_access(const std::string& file, const comm::Communicator& comm)
{
  Properties access = serial_access(file);
  if (comm.size() > 1) ok(file, "H5Pset_fapl_mpio", share_access(access, comm));
  return access;
}

Properties dataset_creation(const std::string& file, const std::vector<hsize_t>& chunk,
                            bool compress)
{
  Properties made(ok(file, "H5Pcreate", H5Pcreate(H5P_DATASET_CREATE)));
  ok(file, "H5Pset_chunk", H5Pset_chunk(made, static_cast<int>(chunk.size()), chunk.data()));
  ok(file, "H5Pset_fill_time", H5Pset_fill_time(made, H5D_FILL_TIME_NEVER));
  ok(file, "H5Pset_obj_track_times", H5Pset_obj_track_times(made, false));
  ok(file, "H5Pset_attr_creation_order",
     H5Pset_attr_creation_order(made, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  if (compress) {
    ok(file, "H5Pset_shuffle", H5Pset_shuffle(made));
    ok(file, "H5Pset_deflate", H5Pset_deflate(made, 1));
  }
  ok(file, "H5Pset_fletcher32", H5Pset_fletcher32(made));
  return made;
}

File open_serial(const std::string& file)
{
  const Properties access = serial_access(file);
  return File(ok(file, "H5Fopen", H5Fopen(file.c_str(), H5F_ACC_RDONLY, access)));
}

std::vector<std::string> link_names(const std::string& file, hid_t group, H5_index_t order)
{
  H5G_info_t info;
  ok(file, "H5Gget_info", H5Gget_info(group, &info));
  std::vector<std::string> names;
  for (hsize_t n = 0; n < info.nlinks; ++n) {
    const auto name_of = [&](char* to, std::size_t size) {
      return static_cast<std::size_t>(
          ok(file, "H5Lget_name_by_idx",
             H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, n, to, size, H5P_DEFAULT)));
    };
    std::string name(name_of(nullptr, 0), '\0');
    name_of(name.data(), name.size() + 1);
    names.push_back(name);
  }
  return names;
}

Selection select(const std::string& file, hid_t dataset, const std::vector<hsize_t>& lead,
                 const grid::Box& box, bool flat)
{
  std::vector<hsize_t> start = lead, count(lead.size(), 1);
  const Index3 n = box.size();
  for (int axis = flat ? 1 : 2; axis >= 0; --axis) {
    start.push_back(static_cast<hsize_t>(box.lo[axis]));
    count.push_back(static_cast<hsize_t>(n[axis]));
  }
  Selection s;
  s.file = Space(ok(file, "H5Dget_space", H5Dget_space(dataset)));
  const auto cells = static_cast<hsize_t>(box.cells());
  // The shape of the selection: HDF5 goes element by element where shapes differ.
  std::vector<hsize_t> memory = count;
  if (cells == 0) memory.assign(count.size(), 1);
  s.memory = Space(ok(file, "H5Screate_simple",
                      H5Screate_simple(static_cast<int>(memory.size()), memory.data(), nullptr)));
  if (cells == 0) {
    ok(file, "H5Sselect_none", H5Sselect_none(s.file));
    ok(file, "H5Sselect_none", H5Sselect_none(s.memory));
  } else {
    ok(file, "H5Sselect_hyperslab",
       H5Sselect_hyperslab(s.file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  }
  return s;
}

}  // namespace helicity::io::detail

namespace helicity::io {

void leave_hdf5_alone_at_exit() noexcept { H5dont_atexit(); }

}  // namespace helicity::io
