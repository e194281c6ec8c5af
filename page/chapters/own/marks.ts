// SPDX-License-Identifier: MIT
// Finds the lines of a program that create the layers of a trace.
import type { TraceEntry } from 'maskflow';
import type { Language } from '../../shared/highlight.js';

export type Role = TraceEntry['role'];

interface Creation {
  /** Index of the line. */
  line: number;
  className: string;
  name: string | undefined;
}

const creation = {
  js: /(?:\blayers\.|\bnew )(\w+)\(/g,
  python: /(?<!\bclass )\b([A-Z]\w*)\(/g,
};
const comment = { js: /\/\/.*/g, python: /#.*/g };
const ownName = { js: /^[^;]*?\bname: '([^']*)'/, python: /\bname\s*=\s*["']([^"']*)/ };

/** Returns the places where a program creates layers, in its order. */
function creationsIn(text: string, language: Language): Creation[] {
  const code = text.replace(comment[language], (words) => ' '.repeat(words.length));
  const found = [...code.matchAll(creation[language])];
  return found.map((match, index) => {
    const own = code.slice(match.index, found[index + 1]?.index ?? code.length);
    return {
      line: code.slice(0, match.index).split('\n').length - 1,
      className: (match[1] ?? '').toLowerCase(),
      name: ownName[language].exec(own)?.[1],
    };
  });
}

const numberOf = (name: string): number => Number(/_(\d+)$/.exec(name)?.[1] ?? 0);

/**
 * Returns what the layers that a line creates do with the mask, by the index of the line. Classes
 * of which the program creates another number of layers than the trace has are left out: layers of
 * a loop or of a function that is called twice have no line of their own.
 */
export function marksOf(
  text: string,
  language: Language,
  trace: readonly TraceEntry[],
): Map<number, Role> {
  const marks = new Map<number, Role>();
  const creations = creationsIn(text, language);
  const layers = new Map<string, TraceEntry>();
  const lost = trace.findIndex(({ role }) => role === 'drops');
  for (const [index, each] of trace.entries()) {
    // A layer that uses masks, after one that lost them, shows the damage.
    const isBlind = lost >= 0 && index > lost && usesMasks.test(each.className);
    const entry = each.role === 'none' && !isBlind ? { ...each, role: 'computes' as const } : each;
    const known = layers.get(entry.layer);
    // A shared layer is marked by the call that matters most.
    if (!known || importance(entry.role) > importance(known.role)) layers.set(entry.layer, entry);
  }
  for (const className of new Set(creations.map((each) => each.className))) {
    const written = creations.filter((each) => each.className === className);
    const traced = [...layers.values()].filter(
      (each) => each.className.toLowerCase() === className,
    );
    if (written.length !== traced.length) continue;
    const isNamed = (entry: TraceEntry) => written.some(({ name }) => name === last(entry.layer));
    const rest = traced
      .filter((entry) => !isNamed(entry))
      .sort((a, b) => numberOf(a.layer) - numberOf(b.layer));
    for (const { line, name } of written) {
      const entry = traced.find(({ layer }) => last(layer) === name) ?? rest.shift();
      if (entry && importance(entry.role) > importance(marks.get(line)))
        marks.set(line, entry.role);
    }
  }
  return marks;
}

const usesMasks =
  /^(?:Bidirectional|ConvLSTM1D|GRU|GlobalAveragePooling1D|LSTM|RNN|SimpleRNN|.*Attention)$/;

/** Returns the name of a layer without the names of the layers around it. */
const last = (layer: string): string => layer.split('/').at(-1) ?? layer;

/** The order in which one role hides another on the same line; 0 for roles that are not shown. */
function importance(role: Role | undefined): number {
  const order: readonly (Role | undefined)[] = [
    'none',
    'passes',
    'uses',
    'uses and passes',
    'ignores',
    'changes',
    'makes',
    'drops',
  ];
  return order.indexOf(role) + 1;
}
