// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "rnn/cell.hpp"

namespace maskflow {

// The steps of one sequence. A cell keeps memory from begin() to the last step, so while a run
// lives, no other one may begin with the same cell or with one inside it; code of the user that a
// step calls could ask for it.
class CellRun {
 public:
  // Begins the cell. Throws StateError while another run of it, or of a cell inside, lives.
  CellRun(RnnCell& cell, std::size_t lanes, Frame& frame);
  ~CellRun();
  CellRun(const CellRun&) = delete;
  CellRun& operator=(const CellRun&) = delete;

  // Returns whether no run of this cell, or of a cell inside, lives.
  [[nodiscard]] static bool may_begin(RnnCell& cell);

 private:
  explicit CellRun(RnnCell& cell);
  void add(RnnCell& cell);

  std::vector<RnnCell*> cells_;  // each once: a stack may hold a cell twice
};

}  // namespace maskflow
