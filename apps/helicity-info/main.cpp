// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <support/app.hpp>
#include <support/options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

int main(int argc, char** argv)
{
  namespace ha = helicity::app;
  return ha::run_app("helicity-info", [&] {
    CLI::App app{"Tells what this build and this machine can do.", "helicity-info"};
    ha::set_up(app);
    bool json = false;
    app.add_flag("--json", json, "Print JSON, for programs");
    ha::parse(app, argc, argv);
    const ha::Report report = ha::gather();
    fmt::print("{}", json ? ha::to_json(report) : ha::to_text(report));
    return ha::success;
  });
}
