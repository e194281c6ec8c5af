// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "base/error_codes.hpp"

namespace maskflow::test {

// Succeeds if `f` throws an Error of this kind whose message contains all `parts`: the problem, the
// numbers, the remedy.
template <class F>
testing::AssertionResult fails_with(ErrorKind kind, std::initializer_list<std::string> parts,
                                    F&& f) {
  try {
    f();
  } catch (const Error& error) {
    if (general_kind(error.kind()) != kind) {
      return testing::AssertionFailure()
             << "kind " << static_cast<int>(error.kind()) << ": " << error.what();
    }
    for (const std::string& part : parts) {
      if (std::string(error.what()).find(part) == std::string::npos) {
        return testing::AssertionFailure() << "'" << part << "' is not in: " << error.what();
      }
    }
    return testing::AssertionSuccess();
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << "not an Error: " << error.what();
  }
  return testing::AssertionFailure() << "no error was thrown";
}

}  // namespace maskflow::test
