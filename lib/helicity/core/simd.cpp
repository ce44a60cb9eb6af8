// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/simd.hpp>
#include <helicity/core/text.hpp>

#include <hwy/targets.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

namespace helicity {
namespace {

// Highway numbers targets so that a lower bit is a better target. The baseline is named scalar
// whichever of its two emulations Highway compiled.
struct Target
{
  std::int64_t bit;
  std::string_view name;
  int vector_bits;
};

constexpr Target targets[] = {
    {HWY_SCALAR | HWY_EMU128, "scalar", 64},
    {HWY_SSSE3, "ssse3", 128},
    {HWY_SSE4, "sse4", 128},
    {HWY_AVX2, "avx2", 256},
    {HWY_AVX3, "avx512", 512},
    {HWY_AVX3_DL, "avx512_icelake", 512},
    {HWY_NEON, "neon", 128},
    {HWY_PPC8, "vsx", 128},
};

/// What the machine can run, without the limit.
std::int64_t machine_targets()
{
  static const std::int64_t mask = hwy::SupportedTargets();
  return mask | HWY_SCALAR | HWY_EMU128;
}

/// Index in `targets` of the one chosen; -1 until it is asked for: asking the machine is slow where
/// it is a virtual one.
std::atomic<int> chosen_index = -1;

int best_of(std::int64_t supported)
{
  const std::int64_t allowed = supported | HWY_SCALAR | HWY_EMU128;
  int best = 0;
  for (int i = 0; i < static_cast<int>(std::size(targets)); ++i)
    if ((targets[i].bit & HWY_TARGETS & allowed) != 0) best = i;
  return best;
}

void apply(std::int64_t disabled)
{
  machine_targets();  // must be asked before a limit hides something
  hwy::DisableTargets(disabled);
  const std::int64_t supported = hwy::SupportedTargets();
  chosen_index = best_of(supported);
  hwy::GetChosenTarget().Update(
      supported);  // last: each SupportedTargets() sets it to all there is
}

}  // namespace

std::vector<InstructionSet> instruction_sets()
{
  std::vector<InstructionSet> sets;
  for (const auto& [bit, name, vector_bits] : targets)
    if ((bit & HWY_TARGETS) != 0)
      sets.push_back({name, vector_bits, (bit & machine_targets()) != 0});
  return sets;
}

InstructionSet chosen_isa()
{
  int index = chosen_index;
  if (index < 0) chosen_index = index = best_of(machine_targets());
  return {targets[index].name, targets[index].vector_bits, true};
}

void limit_isa(std::string_view name)
{
  if (name.empty()) return apply(0);
  std::vector<std::string_view> names;
  for (const auto& set : instruction_sets()) {
    names.push_back(set.name);
    if (set.name != name) continue;
    if (!set.usable) throw UsageError("this machine has no " + std::string(name) + " instructions");
    for (const auto& target : targets)
      if (target.name == name) return apply((target.bit & -target.bit) - 1);
  }
  throw UsageError("unknown instruction set '" + std::string(name) + "'" +
                   did_you_mean(name, names) + "; known here: " + join(names, ", "));
}

void limit_isa_from_environment()
{
  if (const char* name = std::getenv("HELICITY_ISA")) limit_isa(name);
}

}  // namespace helicity
