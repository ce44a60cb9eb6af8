// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/grid/box.hpp>
#include <helicity/grid/field.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace helicity::io {

/// Element types of datasets.
enum class ElementType : std::uint8_t { uint8, int32, int64, float32, float64 };

HELICITY_EXPORT std::size_t size_of(ElementType type);

template <class T>
constexpr ElementType element_type();
template <>
constexpr ElementType element_type<std::uint8_t>()
{
  return ElementType::uint8;
}
template <>
constexpr ElementType element_type<std::int32_t>()
{
  return ElementType::int32;
}
template <>
constexpr ElementType element_type<std::int64_t>()
{
  return ElementType::int64;
}
template <>
constexpr ElementType element_type<float>()
{
  return ElementType::float32;
}
template <>
constexpr ElementType element_type<double>()
{
  return ElementType::float64;
}

/// The owned cells of one component of a field, contiguous in host memory, i fastest.
template <class T>
std::vector<T> gather_block(const grid::Field<T>& field, int component = 0);

/// The opposite: writes the owned cells of a component. @pre as many values as owned cells
template <class T>
void scatter_block(grid::Field<T>& field, int component, const std::vector<T>& values);

namespace detail {
HELICITY_EXPORT void copy_rows(const Executor& executor, const grid::FieldShape& shape,
                               std::byte* field, Index sj, Index sk, std::byte* block,
                               std::size_t element_bytes, bool to_block);
}

template <class T>
std::vector<T> gather_block(const grid::Field<T>& field, int component)
{
  std::vector<T> block(static_cast<std::size_t>(field.owned().cells()));
  const View3<const T> v = field.view(component);
  detail::copy_rows(field.executor(), field.shape(),
                    reinterpret_cast<std::byte*>(const_cast<T*>(v.origin)), v.sj, v.sk,
                    reinterpret_cast<std::byte*>(block.data()), sizeof(T), true);
  return block;
}

template <class T>
void scatter_block(grid::Field<T>& field, int component, const std::vector<T>& values)
{
  if (static_cast<Index>(values.size()) != field.owned().cells())
    throw UsageError("a block has as many values as the field owns cells");
  const View3<T> v = field.view(component);
  detail::copy_rows(field.executor(), field.shape(), reinterpret_cast<std::byte*>(v.origin), v.sj,
                    v.sk, reinterpret_cast<std::byte*>(const_cast<T*>(values.data())), sizeof(T),
                    false);
}

}  // namespace helicity::io
