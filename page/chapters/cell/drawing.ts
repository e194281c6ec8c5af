// SPDX-License-Identifier: MIT
// The cell as a picture: the state flows along a pipe, and gates are valves in it. A disc in line
// with its pipe lets everything through; one across it lets nothing through.
import { type Child, s } from '../../shared/dom.js';
import { roomOfPage, widthOf } from '../../shared/room.js';
import { type Term, type Terms, number } from './terms.js';

const height = 290;
/** Heights of the line of the state, of the valve below it, of the candidate and of the inputs. */
const level = { state: 66, valve: 132, candidate: 204, inputs: 262 };

interface Plan {
  /** Returns x at a share of the inside of the cell. */
  x(share: number): number;
  width: number;
  terms: Map<string, Term>;
  masked: boolean;
}

export function cellPicture(terms: Terms, place: HTMLElement): SVGElement {
  const room = roomOfPage();
  // Beside its text the cell is narrower than the page, and its letters must not shrink with it.
  const width = Math.min(
    720,
    room < 560 ? Math.max(270, room) : Math.max(440, widthOf(place, room)),
  );
  const inset = width < 500 ? 52 : 84;
  const plan: Plan = {
    x: (share) => inset + share * (width - 2 * inset),
    width,
    terms: termsByName(terms),
    masked: terms.masked,
  };
  const draw = { lstm, gru, 'gru before': gru, simpleRNN: simple }[terms.kind];
  return s(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      class: 'valves',
      role: 'img',
      'aria-label': describe(plan),
    },
    s('rect', {
      class: 'body',
      x: inset - 12,
      y: 20,
      width: width - 2 * inset + 24,
      height: height - 24,
      rx: 14,
    }),
    ...draw(plan),
  );
}

/** Returns the terms of all equations by name; a masked step has those of its states only. */
function termsByName(terms: Terms): Map<string, Term> {
  const equations = terms.masked ? terms.held() : terms.equations();
  // The equations contain the output before the step only inside products.
  const before = terms.masked ? [] : [terms.before('h')];
  const parts = equations.flatMap(({ result, right }) => [
    ...right.filter((part): part is Term => typeof part !== 'string'),
    result,
  ]);
  return new Map([...before, ...parts].map((term) => [term.name, term]));
}

const describe = ({ terms, masked }: Plan): string => {
  const amounts = [...terms.values()]
    .filter(({ name }) => /^[cfghiorz]0?$/.test(name))
    .map(({ name, value }) => `${name.replace('0', ' before')} ${number(value)}`);
  return `${masked ? 'The cell of a masked step: the states pass by the gates' : 'The cell'}. ${amounts.join(', ')}.`;
};

// ── the three cells

function lstm(plan: Plan): SVGElement[] {
  const isNarrow = plan.width < 500;
  const [f, sum, out] = [
    plan.x(0.14),
    plan.x(isNarrow ? 0.42 : 0.46),
    plan.x(isNarrow ? 0.88 : 0.84),
  ];
  const { state, valve: middle, candidate, inputs } = level;
  if (plan.masked)
    return [
      ...passing(plan, 'c', state),
      ...passing(plan, 'h', inputs),
      ...idle([
        ['f', f, state],
        ['i', sum, middle],
        ['g', sum, candidate],
        ['o', out, middle + 26],
      ]),
    ];
  return [
    control(`M${plan.x(0)} ${inputs}H${out - 40}V${middle + 26}H${out - 20}`),
    control(`M${f} ${inputs}V${state + 20}M${sum} ${inputs}V${candidate + 16}`),
    control(`M${sum - 46} ${inputs}V${middle}H${sum - 20}`),
    pipe(`M${f} ${state}H${sum}`, product(plan, 'f', 'c0')),
    pipe(`M4 ${state}H${f}`, amount(plan, 'c0')),
    pipe(`M${sum} ${state}H${plan.width - 4}`, amount(plan, 'c')),
    pipe(`M${sum} ${candidate}V${middle}`, amount(plan, 'g')),
    pipe(`M${sum} ${middle}V${state}`, product(plan, 'i', 'g')),
    pipe(`M4 ${inputs}H${plan.x(0)}`, amount(plan, 'h0')),
    pipe(`M${out} ${state}V${middle + 26}`, Math.tanh(amount(plan, 'c'))),
    pipe(`M${out} ${middle + 26}V${inputs}H${plan.width - 4}`, amount(plan, 'h')),
    ...ends(plan, 'c', state),
    ...ends(plan, 'h', inputs),
    valve(plan, 'f', f, state, { words: 'forget' }),
    junction(sum, state, '+'),
    valve(plan, 'i', sum, middle, { words: 'input', upright: true }),
    candidateOf(plan, sum, candidate),
    ...(isNarrow ? [] : [note(plan.x(0.02), inputs, 'with x')]),
    junction(out, state + 30, 'tanh'),
    valve(plan, 'o', out, middle + 26, { words: 'output', upright: true }),
  ];
}

function gru(plan: Plan): SVGElement[] {
  const [z, r, sum] = [plan.x(0.14), plan.x(0.3), plan.x(0.68)];
  const { state, valve: middle, candidate, inputs } = level;
  if (plan.masked)
    return [
      ...passing(plan, 'h', state),
      ...idle([
        ['z', z, state],
        ['1 − z', sum, middle],
        ['r', r, candidate],
        ['g', sum, candidate],
      ]),
    ];
  const rest = plan.terms.get('z')?.value;
  return [
    control(`M${plan.x(0)} ${inputs}H${sum}V${candidate + 16}`),
    control(`M${z} ${inputs}V${state + 20}M${r} ${inputs}V${candidate + 20}`),
    pipe(`M4 ${state}H${z}`, amount(plan, 'h0')),
    pipe(`M${z} ${state}H${sum}`, product(plan, 'z', 'h0')),
    pipe(`M${sum} ${state}H${plan.width - 4}`, amount(plan, 'h')),
    pipe(`M${plan.x(0.02)} ${state}V${candidate}H${r}`, amount(plan, 'h0')),
    pipe(`M${r} ${candidate}H${sum}`, product(plan, 'r', 'h0')),
    pipe(`M${sum} ${candidate}V${middle}`, amount(plan, 'g')),
    pipe(`M${sum} ${middle}V${state}`, (1 - amount(plan, 'z')) * amount(plan, 'g')),
    ...ends(plan, 'h', state),
    valve(plan, 'z', z, state, { words: 'update' }),
    valve(plan, 'r', r, candidate, { words: 'reset' }),
    valve(plan, 'z', sum, middle, {
      upright: true,
      label: '1 − z',
      amount: rest === undefined ? undefined : 1 - rest,
    }),
    junction(sum, state, '+'),
    candidateOf(plan, sum, candidate),
    note(plan.x(0.02), inputs, 'x and h before'),
  ];
}

function simple(plan: Plan): SVGElement[] {
  const [sum, bend] = [plan.x(0.4), plan.x(0.72)];
  const { state, candidate } = level;
  if (plan.masked)
    return [
      ...passing(plan, 'h', state),
      ...idle([
        ['x·W', sum, candidate],
        ['tanh', bend, state],
      ]),
    ];
  return [
    pipe(`M4 ${state}H${sum}`, amount(plan, 'Uh')),
    pipe(`M${sum} ${state}H${bend}`, amount(plan, 'Uh') + amount(plan, 'Wh') + amount(plan, 'bh')),
    pipe(`M${bend} ${state}H${plan.width - 4}`, amount(plan, 'h')),
    pipe(`M${sum} ${candidate}V${state}`, amount(plan, 'Wh')),
    ...ends(plan, 'h', state),
    amountAt(plan, 'Uh', plan.x(0.16), state + 26),
    junction(sum, state, '+'),
    amountAt(plan, 'Wh', sum, candidate + 22),
    amountAt(plan, 'bh', plan.x(0.56), state + 26),
    junction(bend, state, 'tanh'),
  ];
}

// ── parts

/** Returns the number of a term, 0 if it has none. */
const amount = ({ terms }: Plan, name: string): number => terms.get(name)?.value ?? 0;
const product = (plan: Plan, gate: string, name: string): number =>
  amount(plan, gate) * amount(plan, name);

/** Draws a pipe as thick as the amount that it carries: 2 pixels for 0, 11 for 1 or more. */
function pipe(d: string, carried: number): SVGElement {
  const width = 2 + 9 * Math.min(1, Math.abs(carried) || 0);
  return s('path', { class: 'pipe', d, style: `stroke-width: ${width.toFixed(2)}` });
}

const control = (d: string): SVGElement => s('path', { class: 'control', d });

const junction = (x: number, y: number, text: string): SVGElement =>
  s(
    'g',
    { class: 'junction' },
    s('rect', {
      x: x - (text.length > 1 ? 20 : 12),
      y: y - 11,
      width: text.length > 1 ? 40 : 24,
      height: 22,
      rx: 11,
    }),
    s('text', { x, y: y + 5, 'text-anchor': 'middle' }, text),
  );

/** Attributes with which a part lights up with its terms and explains itself. */
const partOf = (term: Term | undefined) => ({
  'data-link': term && `cell-${term.name}`,
  'data-from': term?.from,
  'data-symbol': term?.symbol,
});

interface ValveLook {
  words?: string;
  upright?: boolean;
  label?: string;
  amount?: number | undefined;
}

function valve(plan: Plan, name: string, x: number, y: number, look: ValveLook): SVGElement {
  const term = plan.terms.get(name);
  const amount = 'amount' in look ? look.amount : term?.value;
  // A gate of NaN is drawn closed.
  const open = Math.min(1, Math.max(0, amount || 0));
  const turn = look.upright ? 90 - 90 * (1 - open) : 90 * (1 - open);
  const beside = look.upright
    ? { x: x + 26, y: y - 2, 'text-anchor': 'start' }
    : { x, y: y - 27, 'text-anchor': 'middle' };
  return s(
    'g',
    { class: 'valve', ...partOf(term) },
    s('circle', { class: 'ring', cx: x, cy: y, r: 19 }),
    s('path', { class: 'disc', d: 'M-17 0H17', transform: `translate(${x} ${y}) rotate(${turn})` }),
    s(
      'text',
      beside,
      s('tspan', { class: 'symbol' }, look.label ?? name),
      look.words && plan.width > 500 ? ` ${look.words} ` : ' ',
      look.upright ? null : s('tspan', { class: 'amount' }, number(amount)),
    ),
    look.upright
      ? s('text', { class: 'amount', x: x + 26, y: y + 15, 'text-anchor': 'start' }, number(amount))
      : null,
  );
}

function candidateOf(plan: Plan, x: number, y: number): SVGElement {
  const term = plan.terms.get('g');
  return s(
    'g',
    { class: 'valve', ...partOf(term) },
    s('rect', { class: 'ring', x: x - 40, y: y - 17, width: 80, height: 34, rx: 8 }),
    s(
      'text',
      { x, y: y + 5, 'text-anchor': 'middle' },
      s('tspan', { class: 'symbol' }, 'g '),
      s('tspan', { class: 'amount' }, number(term?.value)),
    ),
  );
}

function amountAt(plan: Plan, name: string, x: number, y: number): SVGElement {
  const term = plan.terms.get(name);
  return s(
    'g',
    { class: 'valve', ...partOf(term) },
    s('rect', { class: 'ring', x: x - 34, y: y - 16, width: 68, height: 38, rx: 8 }),
    s('text', { x, y: y - 1, 'text-anchor': 'middle' }, ...symbols(term?.symbol ?? name)),
    s('text', { class: 'amount', x, y: y + 16, 'text-anchor': 'middle' }, number(term?.value)),
  );
}

/** Draws a state before the step at the left end of its line, and after it at the right end. */
function ends({ terms, width }: Plan, name: string, y: number): SVGElement[] {
  return (['0', ''] as const).map((suffix) => {
    const term = terms.get(name + suffix);
    const [x, anchor] = suffix ? [4, 'start'] : [width - 4, 'end'];
    return s(
      'g',
      { class: 'valve end', ...partOf(term) },
      s('text', { x, y: y - 26, 'text-anchor': anchor }, ...symbols(term?.symbol ?? name)),
      s('text', { class: 'amount', x, y: y - 9, 'text-anchor': anchor }, number(term?.value)),
    );
  });
}

/** A state that a masked step passes on: its line, with the same number at both ends. */
const passing = (plan: Plan, name: string, y: number): SVGElement[] => [
  pipe(`M4 ${y}H${plan.width - 4}`, amount(plan, name)),
  ...ends(plan, name, y),
];

/** Gates that are not computed, beside the line. */
const idle = (gates: [name: string, x: number, y: number][]): SVGElement[] =>
  gates.map(([name, x, y]) =>
    s(
      'g',
      {
        class: 'valve idle',
        'data-from': 'Not computed: the step is masked.',
        'data-symbol': name,
      },
      s('circle', { class: 'ring', cx: x, cy: y + (y === level.state ? 42 : 0), r: 19 }),
      s('text', { x, y: y + 5 + (y === level.state ? 42 : 0), 'text-anchor': 'middle' }, name),
    ),
  );

const note = (x: number, y: number, text: string): SVGElement =>
  s('text', { class: 'note', x, y: y - 8 }, text);

/** Returns a symbol such as `h_{t−1}` with its index as a lowered part. */
const symbols = (text: string): Child[] =>
  text
    .split(/_\{([^}]*)\}/)
    .map((part, index) =>
      index % 2
        ? s('tspan', { class: 'index', dy: 4 }, part)
        : s('tspan', { dy: index ? -4 : 0 }, part),
    );
