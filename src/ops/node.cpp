// SPDX-License-Identifier: MIT
#include "ops/node.hpp"

#include <algorithm>

#include "base/depth.hpp"
#include "base/error.hpp"
#include "ops/first_call.hpp"
#include "ops/policy.hpp"

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

bool Args::flag(Name option) const {
  const Value* value = options.find(option);
  return value != nullptr && !value->is_null() && value->as_bool(option);
}

bool has_paths(const std::vector<std::string>& keys) {
  return std::ranges::any_of(
      keys, [](const std::string& key) { return key.find(kPathJoin) != std::string::npos; });
}

Structure::Structure() = default;
Structure::Structure(const Tensor& tensor) { tensors.push_back(tensor); }
Structure::Structure(Tensors all, bool is_list) : tensors(std::move(all)), list(is_list) {}
Structure::Structure(const Structure& other) = default;
Structure::Structure(Structure&& other) noexcept = default;
Structure& Structure::operator=(const Structure& other) = default;
Structure& Structure::operator=(Structure&& other) noexcept = default;
Structure::~Structure() = default;

OutputSpecs::OutputSpecs() = default;
OutputSpecs::OutputSpecs(std::initializer_list<TensorSpec> specs)
    : std::vector<TensorSpec>(specs) {}
OutputSpecs::OutputSpecs(std::vector<TensorSpec> specs, bool is_list)
    : std::vector<TensorSpec>(std::move(specs)), list(is_list) {}
OutputSpecs::OutputSpecs(const OutputSpecs& other) = default;
OutputSpecs::OutputSpecs(OutputSpecs&& other) noexcept = default;
OutputSpecs& OutputSpecs::operator=(const OutputSpecs& other) = default;
OutputSpecs& OutputSpecs::operator=(OutputSpecs&& other) noexcept = default;
OutputSpecs::~OutputSpecs() = default;

Policy& Policy::current() {
  thread_local Policy policy;
  return policy;
}

namespace {

// Symbols of all nodes, in the order of creation. Those that nothing uses are removed when their
// number may have doubled.
class Symbols {
 public:
  static Symbols& all() {
    static Symbols symbols;
    return symbols;
  }

  void add(const SymbolPtr& symbol) {
    if (symbols_.size() >= next_check_) {
      std::erase_if(symbols_,
                    [](const std::weak_ptr<const Symbol>& each) { return each.expired(); });
      next_check_ = 2 * symbols_.size() + kLeast;
    }
    symbols_.push_back(symbol);
  }

  [[nodiscard]] const std::vector<std::weak_ptr<const Symbol>>& list() const { return symbols_; }

 private:
  static constexpr std::size_t kLeast = 64;
  std::vector<std::weak_ptr<const Symbol>> symbols_;
  std::size_t next_check_ = kLeast;
};

}  // namespace

Tensors first_call(const Operation& operation) {
  std::shared_ptr<const Node> node;
  Tensors results;
  for (const std::weak_ptr<const Symbol>& each : Symbols::all().list()) {
    const SymbolPtr symbol = each.lock();
    if (!symbol || symbol->node()->operation.get() != &operation) continue;
    if (!node) {
      node = symbol->node();
      for (const TensorSpec& spec : node->outputs) {
        const auto index = static_cast<int>(results.size());
        results.push_back(Tensor::symbolic(spec, std::make_shared<Symbol>(node, index)));
      }
    }
    // A symbol in use is compared by its address, so it replaces the new one.
    if (symbol->node() == node) {
      const auto index = static_cast<std::size_t>(symbol->index());
      results[index] = Tensor::symbolic(node->outputs[index], symbol);
    }
  }
  return results;
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
    const SymbolPtr symbol = std::make_shared<Symbol>(node, index);
    Symbols::all().add(symbol);
    result.push_back(Tensor::symbolic(spec, symbol));
  }
  return result;
}

}  // namespace maskflow
