// SPDX-License-Identifier: MIT
#include "layer/holders.hpp"

#include <algorithm>
#include <utility>

#include "layer/layer.hpp"
#include "layer/living_layers.hpp"

namespace maskflow {

void add_holder(const Layer& inner, const Layer& holder) {
  std::vector<int>& holders = living_layers().find(inner.id())->holders;
  if (std::ranges::find(holders, holder.id()) != holders.end()) return;
  // Before the list grows, it forgets the holders that are gone.
  if (holders.size() == holders.capacity()) {
    std::erase_if(holders, [](int id) { return living_layers().find(id) == nullptr; });
  }
  holders.push_back(holder.id());
}

UserCodeHolder::List& UserCodeHolder::all() {
  static List holders;
  return holders;
}

UserCodeHolder::List& UserCodeHolder::not_asked() {
  static List holders;
  return holders;
}

UserCodeHolder::UserCodeHolder(const Layer& layer) : layer_(layer) {
  place_ = all().insert(all().begin(), this);
  code_runs();
}

UserCodeHolder::~UserCodeHolder() {
  mark_asked();
  all().erase(place_);
}

void UserCodeHolder::mark_asked() {
  if (!asked_) not_asked().erase(not_asked_place_);
  asked_ = true;
}

void UserCodeHolder::code_runs() {
  newest_layer_ = newest_layer_id();
  all().splice(all().begin(), all(), place_);
  mark_asked();
  not_asked_place_ = not_asked().insert(not_asked().begin(), this);
  asked_ = false;
}

void UserCodeHolder::ask(int oldest) {
  // Number of layers that are always asked; this takes 2 microseconds for each.
  int always = 16;
  std::vector<UserCodeHolder*> holders;
  for (UserCodeHolder* holder : all()) {
    if (always-- == 0) break;
    holder->mark_asked();
    holders.push_back(holder);
  }
  // The code of the others ran last before the oldest layer existed.
  while (!not_asked().empty() && not_asked().front()->newest_layer_ >= oldest) {
    holders.push_back(not_asked().front());
    holders.back()->mark_asked();
  }
  // The layers live until all were asked, because asking runs user code.
  std::vector<LayerPtr> layers;
  for (const UserCodeHolder* holder : holders) {
    // Null if the layer is not complete yet.
    if (LayerPtr layer = living_layer(holder->layer_.id())) layers.push_back(std::move(layer));
  }
  for (const LayerPtr& layer : layers) {
    for (const LayerPtr& inner : layer->sublayers()) add_holder(*inner, *layer);
  }
}

namespace {

void add_new(const std::vector<LayerPtr>& layers, std::vector<LayerPtr>& collected) {
  for (const LayerPtr& layer : layers) {
    if (std::ranges::find(collected, layer) == collected.end()) collected.push_back(layer);
  }
}

// Adds all inner layers, at any depth, of the layers from `next` on.
void add_inner(std::size_t next, std::vector<LayerPtr>& collected) {
  for (; next < collected.size(); ++next) {
    add_new(LayerPtr(collected[next])->sublayers(), collected);
  }
}

// Returns whether a layer other than those with these ids contains `inner`.
bool is_held_elsewhere(const LayerPtr& inner, const std::vector<int>& own_ids) {
  // A copy, because asking a holder runs user code, which may create layers.
  const std::vector<int> holders = living_layers().find(inner->id())->holders;
  return std::ranges::any_of(holders, [&](int id) {
    if (std::ranges::binary_search(own_ids, id)) return false;
    const LayerPtr holder = living_layer(id);
    if (holder == nullptr) return false;
    const std::vector<LayerPtr> held = holder->sublayers();
    return std::ranges::find(held, inner) != held.end();
  });
}

}  // namespace

bool is_held(const LayerPtr& layer) {
  UserCodeHolder::ask(layer->id());
  return is_held_elsewhere(layer, {layer->id()});
}

std::vector<LayerPtr> unshared_layers(const Layer& layer) {
  std::vector<LayerPtr> own = layer.sublayers();
  add_inner(0, own);
  if (own.empty()) return own;
  std::vector<int> own_ids;
  // Ids usually grow from layer to layer, so each is added near the end.
  const auto add_id = [&](int id) { own_ids.insert(std::ranges::lower_bound(own_ids, id), id); };
  for (const LayerPtr& inner : own) add_id(inner->id());
  UserCodeHolder::ask(own_ids.front());
  add_id(layer.id());
  std::vector<LayerPtr> shared;
  for (const LayerPtr& inner : own) {
    if (is_held_elsewhere(inner, own_ids)) shared.push_back(inner);
  }
  add_inner(0, shared);
  std::erase_if(
      own, [&](const LayerPtr& inner) { return std::ranges::find(shared, inner) != shared.end(); });
  return own;
}

}  // namespace maskflow
