// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace maskflow {

// A string that can be a template argument; `+` joins two of them at compile time.
template <std::size_t N>
struct Literal {
  constexpr Literal() = default;
  consteval Literal(const char (&from)[N]) { std::copy_n(from, N, text); }
  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }

  char text[N] = {};
};

template <std::size_t N, std::size_t M>
consteval auto operator+(const Literal<N>& a, const Literal<M>& b) {
  Literal<N + M - 1> both;
  std::copy_n(b.text, M, std::copy_n(a.text, N - 1, both.text));
  return both;
}
template <std::size_t N, std::size_t M>
consteval auto operator+(const Literal<N>& a, const char (&b)[M]) {
  return a + Literal<M>(b);
}
template <std::size_t N, std::size_t M>
consteval auto operator+(const char (&a)[N], const Literal<M>& b) {
  return Literal<N>(a) + b;
}

// View of a literal in static storage.
template <Literal literal>
inline constexpr std::string_view kText = literal.view();

}  // namespace maskflow
