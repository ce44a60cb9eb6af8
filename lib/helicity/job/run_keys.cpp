// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/run_keys.hpp>

#include <fmt/format.h>

#include <cmath>

namespace helicity::job {
namespace {

constexpr Schema::IntegerRange count{.lowest = 0};

void bind_probe(Schema& s, Probe& probe)
{
  s.text("name", probe.name, "first part of its columns");
  s.reals("position", probe.position.data(), 3, Unit::metres, "a point of the grid", {});
  s.texts("variables", probe.variables, "what is read there");
}

}  // namespace

void bind(Schema& s, RunKeys& keys, std::string_view variables, std::string_view image_variables)
{
  s.real("time.end", keys.end, Unit::seconds, "time of the end", {.lowest = 0});
  s.integer("time.steps", keys.steps, "steps to the end, instead of time.end", count);
  s.text("output.directory", keys.directory, "folder of all files");
  s.text("output.name", keys.output_name, "first part of file names; empty: the case's name");
  s.integer("output.every", keys.output_every, "steps between snapshots; 0: none", count);
  s.texts("output.variables", keys.variables, fmt::format("{}; empty: all", variables));
  s.flag("output.compress", keys.compress, "shuffle and deflate");
  s.integer("output.image_every", keys.image_every, "steps between pictures; 0: none", count);
  s.text("output.image_variable", keys.image_variable, std::string(image_variables));
  s.choice("output.image_axis", keys.image_axis, {"x", "y", "z"},
           "normal of the slice, in the middle");
  s.integer("output.series_every", keys.series_every,
            "steps between rows of NAME_series.csv; 0: none", count);
  s.tables("probe", "points whose values are columns of the series", keys.probes, bind_probe);
  s.integer("checkpoint.every", keys.checkpoint_every,
            "steps between checkpoints; 0: on signals only", count);
  s.integer("checkpoint.keep", keys.checkpoint_keep, "how many are kept",
            {.lowest = 1, .highest = 1000});
  s.integer("health.every", keys.health_every, "steps between looks for bad numbers; 0: none",
            count);
}

void resolve(RunKeys& keys, double step_seconds)
{
  if (keys.end > 0 && keys.steps > 0)
    throw UsageError("time.end and time.steps are both set: one of them says when a run ends");
  if (keys.end > 0)
    keys.steps = static_cast<std::int64_t>(std::ceil(keys.end / step_seconds - 1e-9));
  keys.end = 0;
  for (const Probe& probe : keys.probes)
    if (probe.name.empty() || probe.variables.empty())
      throw UsageError("probe: a probe needs a name and variables");
  if (!keys.probes.empty() && keys.series_every == 0)
    throw UsageError("probe: output.series_every says when probes are read; it is 0");
}

void forget(RunKeys& keys) { keys = RunKeys{}; }

RunPlan plan_of(const RunKeys& keys, const std::string& title, const std::string& toml,
                const std::string& digest)
{
  RunPlan plan;
  plan.steps = keys.steps;
  plan.health = {keys.health_every};
  OutputPlan& output = plan.output;
  output.directory = keys.directory;
  output.name = keys.output_name;
  output.snapshots = {keys.output_every};
  output.variables = keys.variables;
  output.compress = keys.compress;
  output.images = {keys.image_every};
  output.image_variable = keys.image_variable;
  output.image_axis = keys.image_axis == "x" ? 0 : keys.image_axis == "y" ? 1 : 2;
  output.series = {keys.series_every};
  output.probes = keys.probes;
  output.snapshot.compress = keys.compress;
  output.snapshot.attributes["title"] = title;
  output.snapshot.attributes["configuration"] = toml;
  plan.checkpoint.steps = {keys.checkpoint_every};
  plan.checkpoint.keep = static_cast<int>(keys.checkpoint_keep);
  plan.checkpoint.configuration_digest = digest;
  return plan;
}

}  // namespace helicity::job
