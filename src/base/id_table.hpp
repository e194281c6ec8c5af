// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace maskflow {

// Values by id. Ids that grow are added and removed in constant time on average, because removed
// entries stay until they are the larger part.
template <class T>
class IdTable {
 public:
  // Returns null if the id has no value.
  [[nodiscard]] T* find(int id) {
    const auto place = place_of(id);
    return place != entries_.end() && place->id == id && place->used ? &place->value : nullptr;
  }
  // Adds a value for an id that has none.
  T& add(int id, T value) {
    auto place = place_of(id);
    if (place != entries_.end() && place->id == id) {
      --unused_;
    } else {
      place = entries_.insert(place, Entry{id});
    }
    place->used = true;
    place->value = std::move(value);
    return place->value;
  }
  // Removes the value of an id that has one, and returns it.
  T remove(int id) {
    const auto place = place_of(id);
    place->used = false;
    T value = std::move(place->value);
    place->value = T();
    if (2 * ++unused_ > entries_.size()) {
      std::erase_if(entries_, [](const Entry& entry) { return !entry.used; });
      unused_ = 0;
    }
    return value;
  }

 private:
  struct Entry {
    int id = 0;
    bool used = false;
    T value = T();
  };
  auto place_of(int id) { return std::ranges::lower_bound(entries_, id, {}, &Entry::id); }

  std::vector<Entry> entries_;  // Sorted by id.
  std::size_t unused_ = 0;
};

}  // namespace maskflow
