// SPDX-License-Identifier: Apache-2.0
#include <helicity/io/detail/attributes.hpp>

#include <algorithm>

namespace helicity::io::detail {
namespace {

Attribute open_attribute(const std::string& file, hid_t object, const std::string& name)
{
  return Attribute(ok(file, "H5Aopen", H5Aopen(object, name.c_str(), H5P_DEFAULT)));
}

std::size_t length_of(const std::string& file, hid_t attribute)
{
  const Space space(ok(file, "H5Aget_space", H5Aget_space(attribute)));
  return static_cast<std::size_t>(
      ok(file, "H5Sget_simple_extent_npoints", H5Sget_simple_extent_npoints(space)));
}

/// The type of an attribute that is one value.
Type scalar_type(const std::string& file, hid_t attribute)
{
  if (length_of(file, attribute) != 1) throw Hdf5Fault(file, "H5Aget_space", "not a single value");
  return Type(ok(file, "H5Aget_type", H5Aget_type(attribute)));
}

std::string read_text(const std::string& file, hid_t attribute, hid_t type)
{
  if (ok(file, "H5Tis_variable_str", H5Tis_variable_str(type)) > 0)
    throw Hdf5Fault(file, "H5Aget_type", "a text of variable length");
  const std::size_t size = H5Tget_size(type);
  if (size == 0) fail(file, "H5Tget_size");
  std::string text(size, '\0');
  ok(file, "H5Aread", H5Aread(attribute, type, text.data()));
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

void write_text(const std::string& file, hid_t object, const std::string& name,
                const std::string& text)
{
  const Type type(ok(file, "H5Tcopy", H5Tcopy(H5T_C_S1)));
  const bool ascii = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<signed char>(c) >= 0; });
  ok(file, "H5Tset_size", H5Tset_size(type, std::max<std::size_t>(1, text.size())));
  ok(file, "H5Tset_strpad", H5Tset_strpad(type, H5T_STR_NULLPAD));
  ok(file, "H5Tset_cset", H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8));
  write_number(file, object, name, type, type, text.c_str());
}

}  // namespace

void write_number(const std::string& file, hid_t object, const std::string& name, hid_t stored,
                  hid_t memory, const void* value, hsize_t count)
{
  const Space space(count == 0
                        ? ok(file, "H5Screate", H5Screate(H5S_SCALAR))
                        : ok(file, "H5Screate_simple", H5Screate_simple(1, &count, nullptr)));
  const Attribute attribute(
      ok(file, "H5Acreate2",
         H5Acreate2(object, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT)));
  ok(file, "H5Awrite", H5Awrite(attribute, memory, value));
}

void write_attribute(const std::string& file, hid_t object, const std::string& name,
                     const Value& value)
{
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    write_number(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, integer);
  else if (const auto* real = std::get_if<double>(&value))
    write_number(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, real);
  else
    write_text(file, object, name, std::get<std::string>(value));
}

void write_attributes(const std::string& file, hid_t object, const Attributes& attributes)
{
  for (const auto& [name, value] : attributes) write_attribute(file, object, name, value);
}

bool has_attribute(const std::string& file, hid_t object, const std::string& name)
{
  return ok(file, "H5Aexists", H5Aexists(object, name.c_str())) > 0;
}

Value read_attribute(const std::string& file, hid_t object, const std::string& name)
{
  const Attribute attribute = open_attribute(file, object, name);
  const Type type = scalar_type(file, attribute);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: {
      std::int64_t value = 0;
      ok(file, "H5Aread", H5Aread(attribute, H5T_NATIVE_INT64, &value));
      return value;
    }
    case H5T_FLOAT: {
      double value = 0;
      ok(file, "H5Aread", H5Aread(attribute, H5T_NATIVE_DOUBLE, &value));
      return value;
    }
    case H5T_STRING: return read_text(file, attribute, type);
    default: throw Hdf5Fault(file, "H5Aget_type", "attribute '" + name + "' is of another type");
  }
}

std::vector<std::int64_t> read_integers(const std::string& file, hid_t object,
                                        const std::string& name)
{
  const Attribute attribute = open_attribute(file, object, name);
  std::vector<std::int64_t> values(length_of(file, attribute));
  ok(file, "H5Aread", H5Aread(attribute, H5T_NATIVE_INT64, values.data()));
  return values;
}

std::uint64_t read_unsigned(const std::string& file, hid_t object, const std::string& name)
{
  const Attribute attribute = open_attribute(file, object, name);
  scalar_type(file, attribute);
  std::uint64_t value = 0;
  ok(file, "H5Aread", H5Aread(attribute, H5T_NATIVE_UINT64, &value));
  return value;
}

Attributes read_attributes(const std::string& file, hid_t object)
{
  H5O_info_t info;
  ok(file, "H5Oget_info", H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS));
  Attributes found;
  for (hsize_t n = 0; n < info.num_attrs; ++n) {
    const Attribute attribute(
        ok(file, "H5Aopen_by_idx",
           H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, n, H5P_DEFAULT, H5P_DEFAULT)));
    const auto length = ok(file, "H5Aget_name", H5Aget_name(attribute, 0, nullptr));
    std::string name(static_cast<std::size_t>(length), '\0');
    ok(file, "H5Aget_name", H5Aget_name(attribute, name.size() + 1, name.data()));
    found[name] = read_attribute(file, object, name);
  }
  return found;
}

}  // namespace helicity::io::detail
