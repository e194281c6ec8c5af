// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/index.hpp"

namespace maskflow {

void append_text(std::string& out, std::string_view s) { out += s; }

void append_integer(std::string& out, std::int64_t n) {
  char digits[20];
  char* first = digits + sizeof digits;
  std::uint64_t rest = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  do {
    *--first = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (n < 0) out += '-';
  out.append(first, digits + sizeof digits);
}

// Appends six significant digits, in the format of %g; printf would add 6 kB to the wasm module.
void append_text(std::string& out, double x) {
  if (std::isnan(x)) {
    out += "NaN";
    return;
  }
  if (std::signbit(x)) out += '-';
  x = std::fabs(x);
  if (std::isinf(x)) {
    out += "inf";
    return;
  }
  int exponent = 5;
  for (; x >= 999999.5; ++exponent) x /= 10;
  for (; x != 0 && x < 99999.95; --exponent) x *= 10;
  if (x == 0) exponent = 0;
  const auto digits = static_cast<std::int64_t>(std::nearbyint(x));
  const bool scientific = exponent < -4 || exponent > 5;
  std::string significant;
  append_integer(significant, digits);
  if (const std::size_t last = significant.find_last_not_of('0'); last != std::string::npos) {
    significant.resize(last + 1);
  }
  const int whole = scientific ? 1 : exponent + 1;  // Number of digits before the point.
  if (whole <= 0) {
    out.append("0.").append(at(-whole), '0').append(significant);
  } else {
    const auto before = at(whole);
    if (significant.size() < before) significant.resize(before, '0');
    out.append(significant, 0, before);
    if (significant.size() > before) out.append(".").append(significant, before);
  }
  if (!scientific) return;
  out += exponent < 0 ? "e-" : "e+";
  if (std::abs(exponent) < 10) out += '0';
  append_integer(out, std::abs(exponent));
}

std::string message(const AppendPart* append, const void* const* parts) {
  std::string out;
  for (; *append != nullptr; ++append, ++parts) (*append)(out, *parts);
  return out;
}

namespace {

// Removes and returns the text before the next space; it is empty between two spaces.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::string_view word = take_word(text);
    if (!word.empty()) result.emplace_back(word);
  }
  return result;
}

bool has_word(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    if (take_word(text) == word) return !word.empty();
  }
  return false;
}

std::string snake_case(std::string_view name) {
  const auto is = [&](int (*kind)(int), std::size_t i) {
    return i < name.size() && kind(static_cast<unsigned char>(name[i])) != 0;
  };
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i > 0 && is(std::isupper, i) && (is(std::islower, i - 1) || is(std::islower, i + 1))) {
      result += '_';
    }
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return result;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

namespace {

// Number of letters to change, insert or delete to turn one text into the other (Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3 + 1);
  std::string result;
  for (const std::string& word : known) {
    if (name.size() > kLongest || word.size() > kLongest) continue;
    const std::size_t distance = edit_distance(name, word);
    if (distance >= least) continue;
    least = distance;
    result = word;
  }
  return result;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string word = nearest(name, known);
  return word.empty() ? std::string() : text(" (did you mean '", word, "'?)");
}

}  // namespace maskflow
