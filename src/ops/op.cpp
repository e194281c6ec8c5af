// SPDX-License-Identifier: MIT
#include "ops/op.hpp"

#include <algorithm>
#include <utility>

#include "base/error_codes.hpp"
#include "ops/frame.hpp"
#include "ops/policy.hpp"
#include "ops/tracker.hpp"

namespace maskflow {
namespace {

// The last registered table; each table links to the one before it.
const RegisterOps*& last_table() {
  static const RegisterOps* table = nullptr;
  return table;
}

// An op as the operation of a graph node; its attributes are the options of the node.
class OpOperation final : public Operation {
 public:
  explicit OpOperation(const OpDef& op) : op_(op), name_(op.name) {}
  [[nodiscard]] std::string class_name() const override { return std::string(op_.name); }
  [[nodiscard]] std::string name() const override { return name_; }
  Structure run(Args args, Frame& frame) override {
    return apply_op(op_, args.inputs, args.options, frame);
  }

 private:
  const OpDef& op_;
  std::string name_;
};

void check(const OpDef& op, Operands operands, const Dict& attributes) {
  check_settings(op, attributes);
  const std::string_view names = op.operands;
  const auto expected = names.empty() ? 0 : std::ranges::count(names, ' ') + 1;
  const auto required = expected - std::ranges::count(names, '?');
  const auto count = std::ssize(operands);
  if (!names.ends_with('*') && (count > expected || count < required)) {
    value_error("op ", op.name, " needs ", required, " tensors but got ", count);
  }
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const bool is_optional = required < expected && i >= required;
    if (operands[at(i)].empty_handle() && !is_optional) {
      value_error("op ", op.name, " got an empty tensor");
    }
  }
}

[[noreturn]] void unknown_attribute(const OpDef& op, std::string_view name) {
  std::vector<std::string> known;
  for (const OpAttribute& attribute : op.attributes) known.emplace_back(attribute.name);
  config_error(op.name, " has no setting '", name, "'", suggestion(name, known));
}

}  // namespace

Tensors compute_op(const OpDef& op, Operands operands, const Dict& attributes) {
  try {
    Tensors results = op.compute(operands, OpAttributes(op, attributes));
    // A result that shares the storage of an operand must not share its mask.
    for (Tensor& result : results) {
      result = result.with_mask(nullptr);
    }
    return results;
  } catch (Error& error) {
    error.add_layer(text("ops.", op.name));
    throw;
  }
}

std::vector<std::string> operand_names(const OpDef& op) {
  std::vector<std::string> names = words(op.operands);
  for (std::string& name : names) {
    if (name.ends_with('*') || name.ends_with('?')) name.pop_back();
  }
  return names;
}

const Tensor* optional_operand(Operands operands, std::size_t position) {
  const bool is_absent = position >= operands.size() || operands[position].empty_handle();
  return is_absent ? nullptr : &operands[position];
}

std::pair<Tensor, int> along_axis(const Tensor& x, const OpAttributes& attributes) {
  if (attributes.is_null("axis")) return {x.reshaped({x.shape().size()}), 0};
  return {x, normalize_axis(attributes.integer("axis"), x.rank())};
}

std::vector<bool> listed_axes(int rank, const OpAttributes& attributes) {
  std::vector<bool> listed(static_cast<std::size_t>(rank), attributes.is_null("axis"));
  if (attributes.is_null("axis")) return listed;
  for (const Dim axis : attributes.integers("axis")) {
    const auto place = static_cast<std::size_t>(normalize_axis(axis, rank));
    if (listed[place]) value_error("'axis' lists axis ", axis, " twice");
    listed[place] = true;
  }
  return listed;
}

void check_settings(const OpDef& op, const Dict& settings) {
  for (const auto& [name, value] : settings.entries()) {
    bool known = false;
    for (const OpAttribute& attribute : op.attributes) known = known || attribute.name == name;
    if (!known) unknown_attribute(op, name);
  }
}

RegisterOps::RegisterOps(std::span<const OpDef> ops, Doc entry)
    : ops_(ops), next_(std::exchange(last_table(), this)), entry_(entry) {}

#ifdef MASKFLOW_DOCS
std::string_view entry_of(const OpDef& op) {
  for (const RegisterOps* table = last_table(); table != nullptr; table = table->next_) {
    for (const OpDef& entry : table->ops_) {
      if (&entry == &op) return table->entry_.text();
    }
  }
  return {};
}
#endif

const std::vector<const OpDef*>& all_ops() {
  static const std::vector<const OpDef*> sorted = [] {
    std::vector<const OpDef*> ops;
    for (const RegisterOps* table = last_table(); table != nullptr; table = table->next_) {
      for (const OpDef& op : table->ops_) {
        ops.insert(std::ranges::upper_bound(ops, op.name, {}, &OpDef::name), &op);
      }
    }
    return ops;
  }();
  return sorted;
}

const OpDef& find_op(std::string_view name) {
  const auto op = std::ranges::lower_bound(all_ops(), name, {}, &OpDef::name);
  if (op == all_ops().end() || (*op)->name != name) {
    fail_with(kUnknownOp, "there is no op '", name, "'", Policy::current().absent_note);
  }
  return **op;
}

Value Default::value() const {
  switch (kind_) {
    case Kind::kNull:
      return {};
    case Kind::kBool:
      return number_ != 0;
    case Kind::kNumber:
      return number_;
    case Kind::kString:
      break;
  }
  return string_;
}

Value OpAttributes::get(Name name) const {
  if (const Value* value = values_.find(name)) return *value;
  for (const OpAttribute& attribute : op_.attributes) {
    if (attribute.name != name) continue;
    if (attribute.required) value_error("'", name, "' must be given");
    return attribute.fallback.value();
  }
  config_error("op ", op_.name, " has no setting '", name, "'");
}

bool OpAttributes::flag(Name name) const { return get(name).as_bool(name); }
double OpAttributes::number(Name name) const { return get(name).as_number(name); }
std::int64_t OpAttributes::integer(Name name) const { return get(name).as_integer(name); }
DType OpAttributes::dtype(Name name) const { return dtype_of(get(name).as_string(name)); }

std::vector<Dim> OpAttributes::integers(Name name) const {
  const Value value = get(name);
  if (value.is_number()) return {value.as_integer(name)};
  std::vector<Dim> result;
  if (!value.is_list()) {
    config_error("'", name, "' must be an integer or a list of integers, but is ", value);
  }
  for (const Value& item : value.as_list(name)) result.push_back(item.as_integer(name));
  return result;
}

Tensors apply_op(const OpDef& op, Operands operands, const Dict& attributes) {
  check(op, operands, attributes);
  if (!any_symbolic(operands)) {
    if (Tracker* tracker = tracker_of(operands)) return tracker->apply(op, operands, attributes);
    return compute_op(op, operands, attributes);
  }
  Args args;
  args.inputs.assign(operands.begin(), operands.end());
  args.list = op.operands.ends_with('*');
  args.options = attributes;
  std::vector<TensorSpec> specs =
      infer_op_specs(args, [&](const Args& a) { return compute_op(op, a.inputs, attributes); });
  return record(std::make_shared<OpOperation>(op), std::move(args), std::move(specs));
}

Tensors apply_op(std::string_view name, Operands operands, const Dict& attributes) {
  return apply_op(find_op(name), operands, attributes);
}

Tensors apply_op(const OpDef& op, Operands operands, const Dict& attributes, const Frame& frame) {
  Tensors results = apply_op(op, operands, attributes);
  if (frame.observer != nullptr && !any_symbolic(operands)) {
    frame.observer->op_ends(op.name, operands, results, frame);
  }
  return results;
}

Tensor apply_op1(Name name, Operands operands, const Dict& attributes) {
  return apply_op(name, operands, attributes).front();
}

Tensor apply_op1(Name name, Operands operands) { return apply_op1(name, operands, {}); }

}  // namespace maskflow
