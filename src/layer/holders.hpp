// SPDX-License-Identifier: MIT
// Which layers contain a layer: its holders. Disposing of a model looks only at the holders of its
// own layers, however many layers exist.
#pragma once

#include <list>
#include <memory>
#include <vector>

namespace maskflow {

class Layer;

// Notes that `holder` contains `inner`. A holder need not tell when it lets go of a layer: it is
// asked for its inner layers before it counts.
void add_holder(const Layer& inner, const Layer& holder);

// Returns whether another layer contains this one.
[[nodiscard]] bool is_held(const std::shared_ptr<Layer>& layer);

// Member of a layer whose inner layers user code may change at any time, without telling.
// `unshared_layers` asks for the inner layers if code of the layer has run since it last asked, and
// always asks the layers whose code ran last. It thus misses only a layer that other code assigns
// to a layer that was idle for long.
class UserCodeHolder {
 public:
  explicit UserCodeHolder(const Layer& layer);
  ~UserCodeHolder();
  UserCodeHolder(const UserCodeHolder&) = delete;
  UserCodeHolder& operator=(const UserCodeHolder&) = delete;

  // Must be called when code of the layer runs.
  void code_runs();

  // Notes the inner layers of all holders that may contain one of the layers from `oldest` on.
  static void ask(int oldest);

 private:
  // Holders, the one whose code ran last first.
  using List = std::list<UserCodeHolder*>;
  static List& all();
  static List& not_asked();
  void mark_asked();

  const Layer& layer_;
  int newest_layer_ = 0;  // Id of the newest layer when its code ran last.
  bool asked_ = true;     // Not in the list of those that were not asked.
  List::iterator place_;
  List::iterator not_asked_place_;
};

}  // namespace maskflow
