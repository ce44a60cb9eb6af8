// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/affinity.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace helicity::comm::detail {

std::string affinity()
{
  cpu_set_t set;
  CPU_ZERO(&set);
  std::string mask;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return mask;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) mask += CPU_ISSET(cpu, &set) ? '1' : '0';
  mask.resize(mask.find_last_of('1') + 1);
  return mask;
}

bool overlap(const std::string& a, const std::string& b)
{
  for (std::size_t cpu = 0; cpu < std::min(a.size(), b.size()); ++cpu)
    if (a[cpu] == '1' && b[cpu] == '1') return true;
  return a.empty() || b.empty();  // unknown
}

std::string host_name()
{
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

}  // namespace helicity::comm::detail
