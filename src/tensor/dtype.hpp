// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace maskflow {

// The dtypes in ascending order: the larger one is the result type of mixed arithmetic.
enum class DType : std::uint8_t { kBool = 0, kInt32 = 1, kFloat32 = 2 };

[[nodiscard]] constexpr std::size_t size_of(DType dtype) { return dtype == DType::kBool ? 1 : 4; }
[[nodiscard]] std::string_view name_of(DType dtype);
// Accepts "float32", "int32" and "bool"; any other name is an UnsupportedError.
[[nodiscard]] DType dtype_of(std::string_view name);
inline void append_text(std::string& out, DType dtype) { out += name_of(dtype); }

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::kFloat32;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::kInt32;
};
// The elements of a bool tensor are bytes, 0 and 1.
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::kBool;
};

}  // namespace maskflow
