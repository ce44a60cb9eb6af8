// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/log.hpp>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

namespace helicity {
namespace {

std::atomic<LogLevel> level = LogLevel::normal;
std::atomic<bool> has_sink = false;
std::mutex mutex;

LogSink& sink()
{
  static LogSink instance;
  return instance;
}

LogLevel needed(LogKind kind) noexcept
{
  switch (kind) {
    case LogKind::warning: return LogLevel::quiet;
    case LogKind::info: return LogLevel::normal;
    case LogKind::detail: return LogLevel::verbose;
  }
  return LogLevel::verbose;
}

}  // namespace

void set_log_sink(LogSink next)
{
  const std::lock_guard lock(mutex);
  has_sink = static_cast<bool>(next);
  sink() = std::move(next);
}

LogSink stderr_sink(std::string_view program)
{
  return [name = std::string(program)](LogKind kind, std::string_view message) {
    std::string line = name + (kind == LogKind::warning ? ": warning: " : ": ");
    line.append(message).push_back('\n');
    std::fwrite(line.data(), 1, line.size(), stderr);
  };
}

void set_log_level(LogLevel next) noexcept { level = next; }

LogLevel log_level() noexcept { return level; }

bool log_enabled(LogKind kind) noexcept { return has_sink && level.load() >= needed(kind); }

void log(LogKind kind, std::string_view message)
{
  if (!log_enabled(kind)) return;
  const std::lock_guard lock(mutex);
  if (sink()) sink()(kind, message);
}

}  // namespace helicity
