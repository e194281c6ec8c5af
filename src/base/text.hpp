// SPDX-License-Identifier: MIT
// Texts for people, put together from strings, numbers and shapes.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
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

// One part of a message, by reference: messages are put together in one place (message() below)
// instead of in the text of every function that may fail. std::format alone would triple the size
// of the wasm module.
class Piece {
 public:
  Piece(std::string_view s) : from_(s.data()), size_(static_cast<std::int64_t>(s.size())) {}
  Piece(const std::string& s) : Piece(std::string_view(s)) {}
  Piece(const char* s) : Piece(std::string_view(s)) {}
  Piece(std::integral auto n) : size_(static_cast<std::int64_t>(n)), append_(&append_number) {}
  template <class T>
    requires(!std::integral<T>)
  Piece(const T& other) : from_(&other), append_(&append_other<T>) {}
  void append_to(std::string& out) const;

 private:
  static void append_number(std::string& out, const Piece& piece);
  template <class T>
  static void append_other(std::string& out, const Piece& piece) {
    append_text(out, *static_cast<const T*>(piece.from_));
  }

  const void* from_ = nullptr;
  std::int64_t size_ = 0;  // of a string, or the number itself
  void (*append_)(std::string&, const Piece&) = nullptr;
};

[[nodiscard]] std::string message(std::initializer_list<Piece> pieces);
template <class... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
  return message({Piece(parts)...});
}

// Keras's rule for default names: BatchNormalization to batch_normalization, GRUCell to gru_cell,
// Conv1D to conv1d.
[[nodiscard]] std::string snake_case(std::string_view name);

// Of ASCII letters.
[[nodiscard]] std::string lower_case(std::string_view text);

// Split at spaces.
[[nodiscard]] std::vector<std::string> words(std::string_view text);

// The word that is nearest to the given one, if one is near: at most a third of its letters wrong,
// missing or too many; else nothing.
[[nodiscard]] std::string nearest(std::string_view given, const std::vector<std::string>& known);
// " (did you mean 'units'?)", likewise. For errors about names.
[[nodiscard]] std::string suggestion(std::string_view given, const std::vector<std::string>& known);

}  // namespace maskflow
