// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/io/detail/hdf5.hpp>
#include <helicity/io/metadata.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::io::detail {

/// Writes an attribute: int64, float64 or a text of fixed length (netCDF reads it as characters).
void write_attribute(const std::string& file, hid_t object, const std::string& name,
                     const Value& value);

/// Writes a number of any type as an attribute: a scalar, or a list if `count` > 0.
void write_number(const std::string& file, hid_t object, const std::string& name, hid_t stored,
                  hid_t memory, const void* value, hsize_t count = 0);

void write_attributes(const std::string& file, hid_t object, const Attributes& attributes);

bool has_attribute(const std::string& file, hid_t object, const std::string& name);

/// Reads an attribute as write_attribute wrote it. @throws Hdf5Fault if it is of another kind
Value read_attribute(const std::string& file, hid_t object, const std::string& name);

/// Reads a list of whole numbers, or a scalar as a list of one.
std::vector<std::int64_t> read_integers(const std::string& file, hid_t object,
                                        const std::string& name);
std::uint64_t read_unsigned(const std::string& file, hid_t object, const std::string& name);

/// Every attribute of an object.
Attributes read_attributes(const std::string& file, hid_t object);

}  // namespace helicity::io::detail
