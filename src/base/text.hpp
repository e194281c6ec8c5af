// SPDX-License-Identifier: MIT
// Messages, composed of strings, numbers and shapes.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace maskflow {

// Appends a string or a number to a message. Types that appear in messages overload this function.
void append_text(std::string& out, std::string_view s);
void append_text(std::string& out, double x);
void append_integer(std::string& out, std::int64_t n);
template <std::integral T>
void append_text(std::string& out, T n) {
  append_integer(out, static_cast<std::int64_t>(n));
}

// message() composes every message from the addresses of its parts and a table of functions that
// append parts of these types. A function that may throw thus only stores addresses. std::format
// alone would triple the size of the wasm module.
using AppendPart = void (*)(std::string& out, const void* part);

template <class T>
void append_part(std::string& out, const void* part) {
  if constexpr (std::convertible_to<const T&, std::string_view>) {
    append_text(out, std::string_view(*static_cast<const T*>(part)));
  } else {
    append_text(out, *static_cast<const T*>(part));
  }
}
struct TextInC;
template <>
inline void append_part<TextInC>(std::string& out, const void* part) {
  append_text(out, std::string_view(static_cast<const char*>(part)));
}

// Returns the address of a part or, for a C string, of its first letter. Parts must outlive the
// call.
template <class T>
const void* part_address(const T& part) {
  return &part;
}
inline const void* part_address(const char* part) { return part; }

// String literals of all lengths share one type.
template <class T>
using PartType = std::conditional_t<std::convertible_to<const T&, const char*>, TextInC, T>;
// The table for messages whose parts have these types; a null pointer ends it.
template <class... Types>
inline constexpr AppendPart kAppendParts[] = {&append_part<Types>..., nullptr};

[[nodiscard]] std::string message(const AppendPart* append, const void* const* parts);
template <class... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
  const void* const addresses[] = {part_address(parts)...};
  return message(kAppendParts<PartType<Parts>...>, addresses);
}

// Keras's rule for default names: BatchNormalization to batch_normalization, GRUCell to gru_cell,
// Conv1D to conv1d.
[[nodiscard]] std::string snake_case(std::string_view name);

// Returns the text in lower case; changes ASCII letters only.
[[nodiscard]] std::string lower_case(std::string_view text);

// Splits a text at spaces.
[[nodiscard]] std::vector<std::string> words(std::string_view text);
// Whether `word` is one of the words of `text`, which are separated by spaces.
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

// Returns the known word nearest to `name`, if at most a third of the letters differ; otherwise
// an empty string.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& known);
// Returns " (did you mean 'units'?)", or an empty string. For errors about names.
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace maskflow
