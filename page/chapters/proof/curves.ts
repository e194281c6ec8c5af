// SPDX-License-Identifier: MIT
// The answers for each number of empty places. The curves are below the places, with the width of a
// tile for each, so that the edge of the row is also the cursor of the chart.
import { s } from '../../shared/dom.js';

export interface Curves {
  pads: number;
  /** Number of places at the right end of the chart. */
  end: number;
  /** Number of places up to which the curves are visible on the screen; paper shows all. */
  reach: number;
  /** Size in pixels. */
  width: number;
  height: number;
}

type Answers = readonly (readonly [number, number])[];

/** Places of the drawing in pixels. */
interface Plane {
  width: number;
  height: number;
  floor: number;
  x(places: number): number;
  y(probability: number): number;
}

const top = 22;
const looks = ['kept', 'alarm'] as const;
const names = ['with the mask', 'without it'] as const;

export function curves(answers: Answers, { pads, end, reach, width, height }: Curves): SVGElement {
  const plane = planeOf(Math.max(180, width), Math.max(160, height), end);
  const last = Math.min(end, answers.length - 1);
  const seen = Math.min(reach, last);
  const now = Math.min(pads, last);
  return s(
    'svg',
    {
      viewBox: `0 0 ${plane.width} ${plane.height}`,
      class: 'chart curves',
      role: 'img',
      'aria-label': `Probability of “balanced” for 0 to ${seen} empty places, with the mask and without it.`,
    },
    ...ground(end, plane, seen > 0),
    end > 12 && s('path', { class: 'marker', d: `M${plane.x(now)} ${top}V${plane.floor}` }),
    ...linesOf(answers, seen, last, plane),
    ...([0, 1] as const).map((index) =>
      s('circle', {
        class: `dot ${looks[index]}`,
        cx: plane.x(now),
        cy: plane.y(answers[now]?.[index] ?? 0),
        r: 6.5,
      }),
    ),
    ...(seen > 0 ? labels(answers[seen] ?? [0, 0], plane.x(seen), plane) : [invitation(plane)]),
  );
}

function planeOf(width: number, height: number, end: number): Plane {
  const floor = height - 40;
  return {
    width,
    height,
    floor,
    x: (places) => (places / end) * width,
    y: (probability) => floor - Math.min(1, Math.max(0, probability)) * (floor - top),
  };
}

function linesOf(answers: Answers, seen: number, last: number, plane: Plane): SVGElement[] {
  const path = (index: 0 | 1, from: number, to: number) =>
    answers
      .slice(from, to + 1)
      .map((pair, at) => {
        const [x, y] = [plane.x(from + at), plane.y(pair[index])];
        return `${at ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join('');
  return ([0, 1] as const).flatMap((index) => [
    s('path', { class: `rest ${looks[index]}`, d: path(index, seen, last) }),
    s('path', { class: `line ${looks[index]}`, d: path(index, 0, seen) }),
  ]);
}

/** Returns the axes; the rule in the middle would cross the words of the invitation. */
function ground(
  end: number,
  { width, height, floor, x }: Plane,
  hasCurves: boolean,
): (SVGElement | false)[] {
  const step = end > 12 ? 50 : 2;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, tick) => tick * step);
  const text = (place: { [name: string]: string | number }, words: string) =>
    s('text', { class: 'tick', ...place }, words);
  return [
    s('path', { class: 'rule', d: `M0 ${top}H${width}M0 ${floor}H${width}` }),
    hasCurves && s('path', { class: 'rule middle', d: `M0 ${(top + floor) / 2}H${width}` }),
    text({ x: width, y: top - 8, 'text-anchor': 'end' }, '1 balanced'),
    text(
      { x: width, y: floor - 8, 'text-anchor': 'end' },
      width < 160 ? '0 not' : '0 not balanced',
    ),
    ...ticks.map((tick) => {
      const anchor = tick === 0 ? 'start' : tick === end ? 'end' : 'middle';
      return text({ x: x(tick), y: floor + 17, 'text-anchor': anchor }, String(tick));
    }),
    text({ x: width / 2, y: height - 4, 'text-anchor': 'middle' }, 'empty places added'),
  ];
}

/** Names the lines beside their visible ends: below the upper line and above the lower one. */
function labels(ends: readonly [number, number], end: number, plane: Plane): SVGElement[] {
  const isFar = end > plane.width * 0.55;
  const x = Math.max(4, end + (isFar ? -12 : 12));
  const middle = (top + plane.floor) / 2;
  return ([0, 1] as const).map((index) => {
    const [own, other] = [ends[index], ends[1 - index] ?? 0];
    const isUpper = own === other ? index === 0 : own > other;
    const y = plane.y(own);
    // The tick of the lower rule is at its right end.
    const lift = end > plane.width - 120 ? 18 : 0;
    const place = y > middle ? y - (isUpper ? 28 : 10) - lift : y + (isUpper ? 20 : 38);
    const anchor = isFar ? 'end' : 'start';
    return s(
      'text',
      { class: `name ${looks[index]}`, x, y: place, 'text-anchor': anchor },
      names[index],
    );
  });
}

/** Says what to do, in the place of the curves to come. */
function invitation({ width, floor }: Plane): SVGElement {
  const middle = (top + floor) / 2;
  const long = Math.min(90, width / 4);
  return s(
    'g',
    { class: 'invitation' },
    s('path', { d: `M22 ${middle}h${long}m-11 -9l11 9l-11 9` }),
    s('text', { x: 34 + long, y: middle + 6 }, width > 420 ? 'drag the row, or press →' : 'drag'),
  );
}
