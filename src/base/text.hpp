// SPDX-License-Identifier: MIT
// Texts for people, put together from strings, numbers and shapes.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace maskflow {

// Appends a text, a number or whatever else has an overload of this function to a message.
void append_text(std::string& out, std::string_view s);
void append_text(std::string& out, double x);
void append_integer(std::string& out, std::int64_t n);
template <std::integral T>
void append_text(std::string& out, T n) {
  append_integer(out, static_cast<std::int64_t>(n));
}

// Messages are put together in one place (message() below), from the addresses of their parts and a
// table of how parts of these types are appended: a function that may fail only writes down the
// addresses. std::format alone would triple the size of the wasm module.
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

// Of a text in C's form: its first letter. Parts live as long as the call that they are given to.
template <class T>
const void* part_address(const T& part) {
  return &part;
}
inline const void* part_address(const char* part) { return part; }

// Texts of any length have one type here.
template <class T>
using PartType = std::conditional_t<std::convertible_to<const T&, const char*>, TextInC, T>;
// One table for all messages with parts of the same types; a null pointer ends it.
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

// Of ASCII letters.
[[nodiscard]] std::string lower_case(std::string_view text);

// Split at spaces.
[[nodiscard]] std::vector<std::string> words(std::string_view text);
// Is it one of them?
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

// The word that is nearest to the given one, if one is near: at most a third of its letters wrong,
// missing or too many; else nothing.
[[nodiscard]] std::string nearest(std::string_view given, const std::vector<std::string>& known);
// " (did you mean 'units'?)", likewise. For errors about names.
[[nodiscard]] std::string suggestion(std::string_view given, const std::vector<std::string>& known);

}  // namespace maskflow
