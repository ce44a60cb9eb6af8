// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/text.hpp>
#include <helicity/io/detail/layout.hpp>
#include <helicity/io/detail/new_file.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>

namespace helicity::io::detail {
namespace {

[[noreturn]] void fail_system(const char* call, const std::string& path)
{
  throw RuntimeFault(std::string(call) + ": " + path + ": " + std::strerror(errno));
}

[[noreturn]] void fail_lost(const std::string& path, const std::string& what)
{
  throw RuntimeFault("MPI_File_write_at_all: " + path +
                     ": the file does not read back as it was written (" + what +
                     "); is the disk full?");
}

/// A file descriptor that is closed at the end.
class Descriptor
{
 public:
  Descriptor(const std::string& path, int flags) : id_(::open(path.c_str(), flags, 0666))
  {
    if (id_ < 0) fail_system("open", path);
  }
  ~Descriptor() { ::close(id_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int id() const { return id_; }

 private:
  int id_;
};

void sync(const std::string& path, int flags)
{
  const Descriptor file(path, flags);
  // Some file systems cannot sync a folder: that says nothing about the file.
  if (fsync(file.id()) != 0 && errno != EINVAL) fail_system("fsync", path);
}

std::string folder_of(const std::string& path)
{
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Properties root_creation(const std::string& file)
{
  const unsigned ordered = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  Properties made(ok(file, "H5Pcreate", H5Pcreate(H5P_FILE_CREATE)));
  ok(file, "H5Pset_link_creation_order", H5Pset_link_creation_order(made, ordered));
  ok(file, "H5Pset_attr_creation_order", H5Pset_attr_creation_order(made, ordered));
  ok(file, "H5Pset_obj_track_times", H5Pset_obj_track_times(made, false));
  return made;
}

/// Hash of a block for comparison with itself.
std::uint64_t hash_of(ElementType type, const void* block, const grid::Box& box)
{
  return hash_block(type, block, box.hi, box, 0);
}

/// Opens every object and each of its attributes.
void read_headers(const std::string& path, hid_t file)
{
  std::vector<std::string> names = link_names(path, file, H5_INDEX_CRT_ORDER);
  names.emplace_back(".");
  for (const std::string& name : names) {
    const Object object(ok(path, "H5Oopen", H5Oopen(file, name.c_str(), H5P_DEFAULT)));
    H5O_info_t info;
    ok(path, "H5Oget_info", H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS));
    for (hsize_t n = 0; n < info.num_attrs; ++n)
      const Attribute attribute(
          ok(path, "H5Aopen_by_idx",
             H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, n, H5P_DEFAULT, H5P_DEFAULT)));
  }
}

}  // namespace

NewFile::NewFile(std::string path, comm::Communicator comm)
    : path_(std::move(path)),
      beside_(path_ + ".tmp"),
      comm_(std::move(comm)),
      exceptions_(std::uncaught_exceptions())
{
  if (comm_.size() > 1 && !parallel_hdf5())
    throw UsageError("several ranks cannot write a file: HDF5 was built without MPI");
  on_first_rank(comm_, [&] { make_beside(); });
  run_alone([&] {
    const Properties creation = root_creation(path_), access = shared_access(path_, comm_);
    file_ =
        File(ok(path_, "H5Fcreate", H5Fcreate(beside_.c_str(), H5F_ACC_TRUNC, creation, access)));
  });
}

NewFile::NewFile(NewFile&& other) noexcept { *this = std::move(other); }

NewFile& NewFile::operator=(NewFile&& other) noexcept
{
  std::swap(path_, other.path_);
  std::swap(beside_, other.beside_);
  std::swap(comm_, other.comm_);
  std::swap(exceptions_, other.exceptions_);
  std::swap(written_, other.written_);
  std::swap(lists_, other.lists_);
  file_ = std::move(other.file_);
  return *this;
}

NewFile::~NewFile()
{
  // An exception may be this rank's alone: closing would wait for the others for ever.
  if (comm_.size() > 1 && std::uncaught_exceptions() > exceptions_ && file_.open()) {
    file_.release();
    if (comm_.rank() == 0) unlink(beside_.c_str());
    return;
  }
  discard();
}

/// System errors are clearer than those of HDF5.
void NewFile::make_beside()
{
  if (std::filesystem::is_directory(path_)) {
    errno = EISDIR;
    fail_system("open", path_);
  }
  const Descriptor made(beside_, O_CREAT | O_TRUNC | O_RDWR);
}

Dataset NewFile::create(const std::string& name, hid_t type, const std::vector<hsize_t>& size,
                        const std::vector<hsize_t>& chunk, bool growing, bool compress)
{
  std::vector<hsize_t> most = size;
  if (growing) most.front() = H5S_UNLIMITED;
  const Space space(ok(path_, "H5Screate_simple",
                       H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data())));
  const Properties creation = dataset_creation(path_, chunk, compress);
  return Dataset(
      ok(path_, "H5Dcreate2",
         H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT)));
}

void NewFile::write(hid_t dataset, hid_t memory_type, const Selection& where, const void* values)
{
  const Properties transfer(ok(path_, "H5Pcreate", H5Pcreate(H5P_DATASET_XFER)));
  ok(path_, "H5Pset_dxpl_mpio", share_transfer(transfer, comm_));
  const char nothing = 0;
  ok(path_, "H5Dwrite",
     H5Dwrite(dataset, memory_type, where.memory, where.file, transfer,
              values == nullptr ? &nothing : values));
}

void NewFile::require_space(std::size_t bytes) const
{
  struct statvfs disk;
  if (comm_.rank() != 0 || statvfs(folder_of(path_).c_str(), &disk) != 0) return;
  const std::size_t free_bytes = std::size_t{disk.f_bavail} * disk.f_frsize;
  if (free_bytes >= bytes) return;
  throw RuntimeFault("write: " + path_ + ": " + format_bytes(bytes) + " more are needed and " +
                     format_bytes(free_bytes) + " are free");
}

void NewFile::close()
{
  const hid_t id = file_.release();
  ok(path_, "H5Fclose", H5Fclose(id));
}

void NewFile::commit()
{
  run_alone([&] { close(); });
  run_alone([&] {
    if (comm_.node_rank() == 0) sync(beside_, O_RDWR);
  });
  run_alone([&] {
    if (comm_.size() > 1) read_back();
  });
  run_alone([&] {
    if (comm_.rank() != 0) return;
    if (std::rename(beside_.c_str(), path_.c_str()) != 0) fail_system("rename", path_);
    sync(folder_of(path_), O_RDONLY | O_DIRECTORY);
  });
  beside_.clear();
  written_.clear();
  lists_.clear();
}

void NewFile::write_block(hid_t dataset, const std::string& name, ElementType type,
                          const grid::Box& box, hsize_t lead, const void* block)
{
  write(dataset, memory_type(type), select(path_, dataset, {lead}, box), block);
  if (comm_.size() > 1) written_.push_back({name, type, box, lead, hash_of(type, block, box)});
}

void NewFile::write_list(hid_t dataset, const std::string& name, const std::vector<double>& values)
{
  const hsize_t size = values.size();
  Selection where;
  where.file = Space(ok(path_, "H5Dget_space", H5Dget_space(dataset)));
  where.memory = Space(ok(path_, "H5Screate_simple", H5Screate_simple(1, &size, nullptr)));
  if (comm_.rank() != 0) {
    ok(path_, "H5Sselect_none", H5Sselect_none(where.file));
    ok(path_, "H5Sselect_none", H5Sselect_none(where.memory));
  } else if (comm_.size() > 1) {
    lists_.emplace_back(name, values);
  }
  write(dataset, H5T_NATIVE_DOUBLE, where, values.data());
}

/// Every rank its blocks, rank 0 also the headers and lists; without MPI-IO.
void NewFile::read_back() const
{
  try {
    read_all();
  } catch (const Hdf5Fault& e) {
    fail_lost(path_, e.short_text());
  }
}

void NewFile::read_all() const
{
  const File file = open_serial(beside_);
  if (comm_.rank() == 0) read_headers(path_, file);
  for (const auto& [name, values] : lists_) {
    const Dataset dataset(ok(path_, "H5Dopen2", H5Dopen2(file, name.c_str(), H5P_DEFAULT)));
    std::vector<double> found(values.size());
    ok(path_, "H5Dread",
       H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()));
    if (found != values) fail_lost(path_, name);
  }
  for (const Written& w : written_) read_block(file, w);
}

void NewFile::read_block(hid_t file, const Written& w) const
{
  const Dataset dataset(ok(path_, "H5Dopen2", H5Dopen2(file, w.dataset.c_str(), H5P_DEFAULT)));
  const Selection where = select(path_, dataset, {w.lead}, w.box);
  std::vector<std::byte> block(static_cast<std::size_t>(w.box.cells()) * size_of(w.type));
  ok(path_, "H5Dread",
     H5Dread(dataset, memory_type(w.type), where.memory, where.file, H5P_DEFAULT, block.data()));
  if (hash_of(w.type, block.data(), w.box) != w.hash) fail_lost(path_, w.dataset);
}

/// What HDF5 still writes as it closes a file that is given up must succeed, or it crashes at the
/// end of the process: one rank writes to memory then; several have the room of the file itself.
void NewFile::divert() const
{
  if (!file_.open()) return;
  if (comm_.size() > 1) {
    if (comm_.rank() == 0) (void)!truncate(beside_.c_str(), 0);
    return comm_.barrier();
  }
  void* descriptor = nullptr;
  const int memory = memfd_create("helicity", MFD_CLOEXEC);
  if (memory >= 0 && H5Fget_vfd_handle(file_, H5P_DEFAULT, &descriptor) >= 0)
    dup2(memory, *static_cast<int*>(descriptor));
  if (memory >= 0) ::close(memory);
}

void NewFile::discard() noexcept
{
  divert();
  {
    const File closed = std::move(file_);
  }
  if (!beside_.empty() && comm_.rank() == 0) unlink(beside_.c_str());
  beside_.clear();
  written_.clear();
  lists_.clear();
}

}  // namespace helicity::io::detail
