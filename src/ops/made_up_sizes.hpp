// SPDX-License-Identifier: MIT
#pragma once

namespace maskflow {

// Returns whether infer_specs is running a layer with made-up sizes in place of unknown ones. Ids
// that code computes from them may be larger than any real one: lookups then read a row that
// exists.
[[nodiscard]] bool sizes_are_made_up();
// Returns whether sizes other than that of the batch are made up.
[[nodiscard]] bool lengths_are_made_up();

}  // namespace maskflow
