// SPDX-License-Identifier: MIT
#include "rnn/cell_run.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace maskflow {

CellRun::CellRun(RnnCell& cell) {
  add(cell);
  for (const RnnCell* each : cells_) {
    if (each->runs_) {
      state_error("cell '", each->cell_name(),
                  "' is called by code that one of its steps runs; use another cell there");
    }
  }
  for (RnnCell* each : cells_) each->runs_ = true;
}

// If begin() throws, the destructor runs, because the other constructor has returned.
CellRun::CellRun(RnnCell& cell, std::size_t lanes, Frame& frame) : CellRun(cell) {
  cell.begin(lanes, frame);
}

CellRun::~CellRun() {
  for (RnnCell* each : cells_) each->runs_ = false;
}

bool CellRun::may_begin(RnnCell& cell) {
  if (cell.runs_) return false;
  const std::vector<RnnCell*> inner = cell.inner_cells();
  return std::ranges::all_of(inner, [](RnnCell* each) { return may_begin(*each); });
}

void CellRun::add(RnnCell& cell) {
  if (std::ranges::find(cells_, &cell) != cells_.end()) return;
  cells_.push_back(&cell);
  for (RnnCell* inner : cell.inner_cells()) add(*inner);
}

}  // namespace maskflow
