// SPDX-License-Identifier: MIT
#include "ops/node.hpp"

#include "base/error.hpp"
#include "ops/context.hpp"

namespace maskflow {
namespace {

Shape with_unknowns(Shape shape, Dim stand_in) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == kUnknown) shape.set(axis, stand_in);
  }
  return shape;
}

// Zeros in place of a symbolic tensor; a symbolic mask becomes one that keeps everything.
Tensor stand_in_for(const Tensor& tensor, Dim size) {
  if (!tensor.is_symbolic()) return tensor;
  const Tensor zeros = Tensor::zeros(tensor.dtype(), with_unknowns(tensor.shape(), size));
  if (tensor.mask() == nullptr) return zeros;
  return zeros.with_mask(
      make_mask(Tensor::full(DType::kBool, with_unknowns(tensor.mask()->shape(), size), 1)));
}

Args concrete(Args args, Dim size) {
  args.for_each_tensor([size](Tensor& tensor) { tensor = stand_in_for(tensor, size); });
  if (args.mask) {
    for (MaskPtr& mask : *args.mask) {
      if (mask) mask = make_mask(stand_in_for(mask->values(), size));
    }
  }
  return args;
}

// Elements of the largest symbolic argument, unknown dimensions counted as 1.
double known_elements(Args args) {
  double most = 0;
  args.for_each_tensor([&most](Tensor& tensor) {
    if (!tensor.is_symbolic()) return;
    double elements = 1;
    for (const Dim dim : tensor.shape().dims()) elements *= static_cast<double>(dim < 0 ? 1 : dim);
    most = elements > most ? elements : most;
  });
  return most;
}

bool has_dim(Args args, Dim size) {
  bool found = false;
  args.for_each_tensor([&](Tensor& tensor) {
    for (const Dim dim : tensor.shape().dims()) found = found || dim == size;
  });
  return found;
}

Shape merge(const Shape& a, const Shape& b) {
  if (a.rank() != b.rank()) {
    shape_error("the rank of the result depends on the sizes of the inputs: ", a, " and ", b,
                "; give the layer a computeOutputShape");
  }
  Shape result = a;
  for (int axis = 0; axis < a.rank(); ++axis) {
    if (a[axis] != b[axis]) result.set(axis, kUnknown);
  }
  return result;
}

}  // namespace

Args::Args() = default;
Args::Args(const Args& other) = default;
Args::Args(Args&& other) noexcept = default;
Args& Args::operator=(const Args& other) = default;
Args& Args::operator=(Args&& other) noexcept = default;
Args::~Args() = default;

// Node by node: a chain of thousands that each destroyed the one before would exhaust the stack.
Node::~Node() {
  thread_local std::vector<Args>* waiting = nullptr;
  if (waiting != nullptr) {
    waiting->push_back(std::move(args));
    return;
  }
  std::vector<Args> chain;
  waiting = &chain;
  chain.push_back(std::move(args));
  while (!chain.empty()) {
    const Args last = std::move(chain.back());
    chain.pop_back();
  }
  waiting = nullptr;
}

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

Gathering::Gathering(std::vector<Activity>* there)
    : before_(std::exchange(Context::current().activities, there)) {}

Gathering::~Gathering() { Context::current().activities = before_; }

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

std::vector<TensorSpec> infer_specs(const Args& args, FunctionRef<Tensors(Args)> run) {
  // Sizes with many divisors, so that code that splits or regroups an unknown axis works on both;
  // and none that stands among the known ones, so that an error can say None in its place.
  // Long sequences get by with fewer: their zeros would take seconds and fill the memory.
  constexpr double kLarge = 1 << 18;
  constexpr double kMost = 1 << 24;
  const double elements = known_elements(args);
  if (elements > kMost) {
    shape_error("a row of the input has ", static_cast<std::int64_t>(elements),
                " elements, more than ", static_cast<std::int64_t>(kMost),
                "; leave the length of long sequences unknown (null)");
  }
  const Dim step = elements > kLarge ? 2 : 12;
  Dim size = step;
  while (has_dim(args, size)) size += step;
  const Unheard unheard;
  const auto run_with = [&](Dim with) {
    const StandIn stands_in(with);
    return run(concrete(args, with));
  };
  const Tensors first = run_with(size);
  const Tensors second = run_with(2 * size);
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
    specs.push_back({merge(first[i].shape(), second[i].shape()), first[i].dtype()});
  }
  return specs;
}

}  // namespace maskflow
