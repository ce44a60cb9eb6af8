// SPDX-License-Identifier: Apache-2.0
// What tests drive on any number of ranks:
//   io_probe write-state PATH NI NJ NK        io_probe check-state PATH NI NJ NK
//   io_probe snapshots PREFIX NI NJ NK [compress]
//   io_probe mask PATH NI NJ NK DATASET       prints how many values are wrong, and their sum
//   io_probe loop FOLDER NI NJ NK             writes states and snapshots until it is killed
#include <helicity/comm/session.hpp>
#include <helicity/core/error.hpp>
#include <helicity/io/snapshot.hpp>
#include <helicity/io/state_file.hpp>

#include "values.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

namespace helicity::test {
namespace {

struct Case
{
  std::string path;
  comm::Communicator comm;
  comm::Decomposition split;
};

void write_state(const Case& c, const std::string& path, std::int64_t step)
{
  io::StateWriter out(path, c.comm, c.split);
  out.attribute("step", step);
  out.attribute("time", 0.1);
  out.attribute("configuration", std::string("[grid]\ncells = [1, 2, 3]  # \xc2\xb5m\n"));
  out.write("population", filled<float>(c.comm, c.split, 3));
  out.write("theta", filled<double>(c.comm, c.split));
  out.write("solid", filled<std::uint8_t>(c.comm, c.split));
  out.commit();
}

template <class T>
int check(const Case& c, io::StateReader& in, const std::string& name, int components)
{
  auto field = field_of<T>(c.comm, c.split, components);
  in.read(name, field);
  return wrong_values(field);
}

int check_state(const Case& c)
{
  io::StateReader in(c.path, c.comm, c.split);
  in.verify();
  int wrong = check<float>(c, in, "population", 3) + check<double>(c, in, "theta", 1) +
              check<std::uint8_t>(c, in, "solid", 1);
  if (in.attribute<double>("time") != 0.1) ++wrong;
  return c.comm.any(wrong != 0) ? 1 : 0;
}

void write_snapshot(const Case& c, io::SnapshotWriter& out, std::int64_t step, double time)
{
  out.begin(step, time);
  out.write({"density", "kg m-3", "density"}, filled<float>(c.comm, c.split));
  out.write({"velocity_x", "m s-1", "velocity along x"}, filled<double>(c.comm, c.split, 2), 1);
  out.write({"solid", "1", "solid cells"}, filled<std::uint8_t>(c.comm, c.split));
  const std::string name = out.end();
  if (c.comm.rank() == 0) std::printf("%s\n", name.c_str());
}

io::SnapshotWriter snapshots(const Case& c, const std::string& prefix, bool compress)
{
  io::SnapshotOptions options;
  options.compress = compress;
  options.coordinates = {{-1, 0, 2}, {0.5, 0.25, 2}, "m"};
  options.time_units = "seconds since 2000-01-01 00:00:00";
  options.attributes = {{"title", std::string("A test")},
                        {"configuration", std::string(100000, 'c')},
                        {"viscosity", 1.5e-5},
                        {"seed", std::int64_t{42}}};
  return {prefix, c.comm, c.split, options};
}

void write_snapshots(const Case& c, bool compress)
{
  auto out = snapshots(c, c.path, compress);
  write_snapshot(c, out, 0, 0);
  write_snapshot(c, out, 10, 86400);
  write_snapshot(c, out, 20, 172800.25);
}

void read_mask(const Case& c, const std::string& name)
{
  const auto mask = io::read_mask(c.path, name, c.comm, c.split);
  const auto expected = io::gather_block(filled<std::uint8_t>(c.comm, c.split));
  std::uint64_t wrong = 0, sum = 0;
  for (std::size_t n = 0; n < mask.size(); ++n) {
    wrong += mask[n] != expected[n];
    sum += mask[n];
  }
  wrong = c.comm.sum(wrong);
  sum = c.comm.sum(sum);
  if (c.comm.rank() == 0)
    std::printf("wrong %llu sum %llu\n", static_cast<unsigned long long>(wrong),
                static_cast<unsigned long long>(sum));
}

void loop(const Case& c)
{
  auto out = snapshots(c, c.path + "/flow", false);
  for (std::int64_t step = c.comm.max(std::int64_t{getpid()});; ++step) {
    write_state(c, c.path + "/state_" + std::to_string(step % 5) + ".h5", step);
    write_snapshot(c, out, step % 7, static_cast<double>(step));
  }
}

int run(const std::vector<std::string>& arguments, const comm::Communicator& comm)
{
  if (arguments.size() < 5) return 2;
  const auto number = [&](std::size_t n) { return static_cast<Index>(std::stol(arguments[n])); };
  const Case c{arguments[1], comm,
               comm::Decomposition({number(2), number(3), number(4)}, comm.size())};
  const std::string& verb = arguments[0];
  if (verb == "check-state") return check_state(c);
  if (verb == "write-state")
    write_state(c, c.path, 7);
  else if (verb == "snapshots")
    write_snapshots(c, arguments.size() > 5);
  else if (verb == "mask" && arguments.size() > 5)
    read_mask(c, arguments[5]);
  else if (verb == "loop")
    loop(c);
  else
    return 2;
  return 0;
}

}  // namespace
}  // namespace helicity::test

int main(int argc, char** argv)
{
  const helicity::comm::Session session(argc, argv);
  try {
    return helicity::test::run({argv + 1, argv + argc}, session.world());
  } catch (const helicity::Error& e) {
    std::fprintf(stderr, "rank %d: %s\n", session.world().rank(), e.what());
    return dynamic_cast<const helicity::UsageError*>(&e) != nullptr ? 2 : 1;
  }
}
