// SPDX-License-Identifier: MIT
// `keras.backend` of Keras 2.
import type { Call } from './ast.js';
import { type Code, called, code, level, type Port, primary, within } from './context.js';
import { opCall } from './op_calls.js';
import type { Doc } from './print.js';
import { int, listOf, num, str } from './types.js';

/** Functions of keras.backend that ops have under another name. */
const names: { readonly [name: string]: string } = {
  batch_dot: 'matmul',
  dot: 'matmul',
  permute_dimensions: 'transpose',
  pow: 'power',
  gather: 'take',
  repeat_elements: 'repeat',
  constant: 'convert_to_tensor',
  cast_to_floatx: 'convert_to_tensor',
};

/** Translates a call of keras.backend that is not simply an op; null for others. */
export function backendCall(port: Port, name: string, call: Call): Code | null {
  const [first] = call.args;
  if (name === 'epsilon') return primary('1e-7', num);
  if (name === 'floatx') return primary("'float32'", str);
  if (name === 'backend') return primary("'maskflow'", str);
  if (name === 'image_data_format') return primary("'channels_last'", str);
  if (name === 'int_shape' && first) {
    return called([within(port.expr(first.value), level.call), '.shape'], listOf(int));
  }
  const [inner, outer, training] = call.args;
  if (name === 'in_train_phase' && inner && outer && training) {
    const [yes, no, test] = [inner, outer, training].map(({ value }) => port.expr(value));
    const words = [test, yes, no] as [Code, Code, Code];
    const [a, b, c] = words.map((word) => within(word, level.nullish));
    return code([a, ' ? ', b, ' : ', c] as Doc, level.conditional, yes?.type ?? null);
  }
  if (name === 'clear_session') return port.awaited(`${port.name('restart')}()`, null);
  if (name === 'set_value' && call.args[1] && first) {
    const [target, value] = [port.expr(first.value), port.expr(call.args[1].value)];
    if (target.type?.k === 'variable') {
      return called([within(target, level.call), '.assign(', value.doc, ')'], null);
    }
    return called([within(target, 1), ' = ', value.doc], null);
  }
  if (name === 'get_value' && first) return port.expr(first.value);
  if (name === 'gather') {
    port.note(call.at, 'ignored', 'K.gather selects along the first axis');
    const axis = {
      name: 'axis',
      star: '' as const,
      value: { kind: 'num' as const, text: '0', at: call.at },
    };
    return opCall(port, 'take', { ...call, args: [...call.args, axis] });
  }
  const other = Object.hasOwn(names, name) ? names[name] : undefined;
  return other ? opCall(port, other, call) : null;
}

export const backendValue = (name: string): Code | null =>
  name === 'epsilon' ? primary('(() => 1e-7)', null) : null;
