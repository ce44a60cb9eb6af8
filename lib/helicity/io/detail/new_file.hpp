// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/io/detail/agree.hpp>
#include <helicity/io/detail/hdf5.hpp>

#include <string>
#include <vector>

namespace helicity::io::detail {

/// An HDF5 file that all ranks write and that has its name only when it is whole: PATH.tmp until
/// commit(). All functions are collective; a failure on one rank is the same exception on all,
/// after which the file beside is gone.
class NewFile
{
 public:
  NewFile() = default;
  /// @throws UsageError for several ranks if HDF5 is serial; RuntimeFault if it cannot be made
  NewFile(std::string path, comm::Communicator comm);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&& other) noexcept;
  ~NewFile();

  hid_t id() const { return file_; }
  bool open() const { return file_.open(); }
  const std::string& path() const { return path_; }
  const comm::Communicator& comm() const { return comm_; }

  /// Runs f on all ranks. If it throws on one, all call `close` for what they have open in the
  /// file, the file is closed and removed, and all throw the same exception.
  template <class Close, class F>
  void run(Close&& close, F&& f)
  {
    const Outcome outcome = agreed(comm_, attempt(f));
    if (outcome.kind == Outcome::Kind::good) return;
    divert();
    close();
    discard();
    raise(outcome);
  }

  /// Creates a dataset of chunks; its data will take `bytes` on disk at most.
  Dataset create(const std::string& name, hid_t type, const std::vector<hsize_t>& size,
                 const std::vector<hsize_t>& chunk, bool growing, bool compress);

  /// Writes this rank's box of a dataset, at `lead` along the dimensions before k, j, i.
  void write_block(hid_t dataset, const std::string& name, ElementType type, const grid::Box& box,
                   hsize_t lead, const void* block);

  /// Writes a list of numbers, the whole of a dataset; those of rank 0.
  void write_list(hid_t dataset, const std::string& name, const std::vector<double>& values);

  /// Throws RuntimeFault if the disk has not so many bytes; to be called within run().
  void require_space(std::size_t bytes) const;

  /// Closes the file, makes it durable and gives it its name; what several ranks wrote is read
  /// back before, since MPI-IO may lose writes in silence. @pre nothing of it is open
  void commit();

  /// Closes and removes the file beside; nothing if there is none.
  void discard() noexcept;

 private:
  void make_beside();
  template <class F>
  void run_alone(F&& f)
  {
    run([] {}, f);
  }
  void close();

  /// A block that was written.
  struct Written
  {
    std::string dataset;
    ElementType type;
    grid::Box box;
    hsize_t lead;
    std::uint64_t hash;
  };

  void write(hid_t dataset, hid_t memory_type, const Selection& where, const void* values);
  void read_back() const;
  void read_all() const;
  void read_block(hid_t file, const Written& written) const;
  void divert() const;

  std::string path_, beside_;
  comm::Communicator comm_;
  File file_;
  std::vector<Written> written_;
  std::vector<std::pair<std::string, std::vector<double>>> lists_;
  int exceptions_ = 0;
};

}  // namespace helicity::io::detail
