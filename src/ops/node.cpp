// SPDX-License-Identifier: MIT
#include "ops/node.hpp"

#include "base/depth.hpp"
#include "base/error.hpp"
#include "ops/context.hpp"

namespace maskflow {

Args::Args() = default;
Args::Args(const Args& other) = default;
Args::Args(Args&& other) noexcept = default;
Args& Args::operator=(const Args& other) = default;
Args& Args::operator=(Args&& other) noexcept = default;
Args::~Args() = default;

Node::~Node() { destroy_in_turn(std::move(args)); }

const TensorArgument* Args::find(std::string_view name) const {
  for (const TensorArgument& argument : tensors) {
    if (argument.name == name) return &argument;
  }
  return nullptr;
}

bool Args::trains() const { return training.value_or(Context::current().training.value_or(false)); }

bool Args::flag(std::string_view option) const {
  const Value* value = options.find(option);
  return value != nullptr && !value->is_null() && value->as_bool(option);
}

Context& Context::current() {
  thread_local Context context;
  return context;
}

FreshCall::FreshCall() : before_(std::exchange(static_cast<CallState&>(Context::current()), {})) {}

FreshCall::~FreshCall() { static_cast<CallState&>(Context::current()) = std::move(before_); }

Unheard::Unheard()
    : on_mask_dropped_(std::exchange(Context::current().on_mask_dropped, OnMaskDropped::kSilent)),
      trace_(std::exchange(Context::current().trace, nullptr)) {}

Unheard::~Unheard() {
  Context::current().on_mask_dropped = on_mask_dropped_;
  Context::current().trace = trace_;
}

Tensors record(std::shared_ptr<Operation> operation, Args args, std::vector<TensorSpec> outputs) {
  static std::int64_t next_id = 0;
  auto node = std::make_shared<Node>();
  node->operation = std::move(operation);
  node->args = std::move(args);
  node->id = next_id++;
  node->outputs = std::move(outputs);
  Tensors result;
  for (const TensorSpec& spec : node->outputs) {
    const auto index = static_cast<int>(result.size());
    result.push_back(Tensor::symbolic(spec, std::make_shared<Symbol>(node, index)));
  }
  return result;
}

}  // namespace maskflow
