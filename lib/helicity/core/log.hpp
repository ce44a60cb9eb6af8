// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <functional>
#include <string_view>

namespace helicity {

/// How much is told: `quiet` warnings only, `normal` what was done, `verbose` also how.
enum class LogLevel { quiet, normal, verbose };

/// What a message is: warnings pass every level, information from `normal`, details at `verbose`.
enum class LogKind { warning, info, detail };

/// Receives messages, one at a time, without a final newline.
using LogSink = std::function<void(LogKind, std::string_view)>;

/// Replaces the sink; the library is silent until one is set, and again with an empty one.
/// @note Thread-safe. The sink must not log.
HELICITY_EXPORT void set_log_sink(LogSink sink);

/// A sink that writes lines "<program>: <message>", warnings "<program>: warning: ...", to stderr.
HELICITY_EXPORT LogSink stderr_sink(std::string_view program);

/// Sets what passes; `normal` at the start.
HELICITY_EXPORT void set_log_level(LogLevel level) noexcept;
HELICITY_EXPORT LogLevel log_level() noexcept;

/// True if a message of that kind would reach a sink: ask before building a dear message.
HELICITY_EXPORT bool log_enabled(LogKind kind) noexcept;

/// Hands a message to the sink. @note Thread-safe; whole messages, never interleaved.
HELICITY_EXPORT void log(LogKind kind, std::string_view message);

}  // namespace helicity
