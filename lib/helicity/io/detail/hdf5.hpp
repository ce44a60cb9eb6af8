// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/core/error.hpp>
#include <helicity/grid/box.hpp>
#include <helicity/io/block.hpp>

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace helicity::io::detail {

/// Owner of an HDF5 identifier, closed by Close.
template <herr_t (*Close)(hid_t)>
class Handle
{
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept
  {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle()
  {
    if (id_ >= 0) Close(id_);
  }

  operator hid_t() const { return id_; }
  bool open() const { return id_ >= 0; }
  hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Object = Handle<H5Oclose>;
using Dataset = Handle<H5Dclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using Properties = Handle<H5Pclose>;
using Attribute = Handle<H5Aclose>;

/// HDF5 prints no errors of its own while one of these lives; nor after a failure, since it then
/// reports at the end of the process what it leaked.
class Quiet
{
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// The cause that HDF5 gives for the last call that failed, in one line; with advice where the
/// cause is file locking.
std::string error_text();

/// A call of HDF5 that failed: "CALL: FILE: cause".
class Hdf5Fault : public RuntimeFault
{
 public:
  Hdf5Fault(const std::string& file, const std::string& call, const std::string& cause)
      : RuntimeFault(call + ": " + file + ": " + cause), short_text_(call + ": " + cause)
  {}
  const std::string& short_text() const { return short_text_; }  ///< without the file

 private:
  std::string short_text_;
};

/// Throws Hdf5Fault with error_text().
[[noreturn]] void fail(const std::string& file, const char* call);

/// The result of an HDF5 call; fail() if it is negative.
template <class R>
R ok(const std::string& file, const char* call, R result)
{
  if (result < 0) fail(file, call);
  return result;
}

/// Type of the elements in memory, and in files (little endian); HDF5's own, not to be closed.
hid_t memory_type(ElementType type);
hid_t file_type(ElementType type);

/// Access to files of format V110 that refuses to close them with objects open; for one process.
Properties serial_access(const std::string& file);

/// The same for all ranks together.
Properties shared_access(const std::string& file, const comm::Communicator& comm);

/// Whether several ranks can write one file: HDF5 was built with MPI.
bool parallel_hdf5();

/// Makes the access of serial_access() that of all ranks of `comm`, metadata collective. Negative
/// if HDF5 fails.
herr_t share_access(hid_t access, const comm::Communicator& comm);

/// Makes a transfer collective if `comm` has several ranks.
herr_t share_transfer(hid_t transfer, const comm::Communicator& comm);

/// Creation properties of a dataset: chunks, fletcher32, no times, never filled; shuffle + deflate.
Properties dataset_creation(const std::string& file, const std::vector<hsize_t>& chunk,
                            bool compress);

/// Opens an existing file for reading by this process alone.
File open_serial(const std::string& file);

/// Names of what lies in a group or the root of a file, in the order of an index.
std::vector<std::string> link_names(const std::string& file, hid_t group, H5_index_t order);

/// A box of a dataset (dimensions k, j, i, or j, i if `flat`) with indices `lead` before: file
/// space selected, and the memory space of a contiguous block.
struct Selection
{
  Space file, memory;
};
Selection select(const std::string& file, hid_t dataset, const std::vector<hsize_t>& lead,
                 const grid::Box& box, bool flat = false);

}  // namespace helicity::io::detail
