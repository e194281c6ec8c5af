// SPDX-License-Identifier: MIT
// A figure as one SVG file, as the screen shows it: drawings with the styles of the page's style
// sheet, and tiles, numbers and words of HTML in their places.
import { find, s } from './dom.js';

const properties = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['stroke-linejoin', 'paint-order'],
  ...['opacity', 'display', 'visibility', 'font-family', 'font-size', 'font-weight'],
  ...['text-anchor', 'dominant-baseline', 'letter-spacing'],
];

const margin = 16;

/** A sheet, and the corner of the screen at which it begins. */
interface Sheet {
  svg: SVGElement;
  /** Words in HTML, which are above all drawings. */
  words: SVGElement;
  left: number;
  top: number;
}

/** Returns the figure of a chapter: the toy, a model on its line, or the whole picture. */
export const figureOf = (section: HTMLElement): HTMLElement =>
  [...section.querySelectorAll<HTMLElement>('.toy, .built')].find((each) =>
    each.checkVisibility(),
  ) ?? find('.picture', section);

/** Returns the text of a file with a figure; `head` goes into its definitions. */
export function svgOf(figure: HTMLElement, title: string, head = ''): string {
  const box = figure.getBoundingClientRect();
  const width = Math.ceil(Math.max(box.width, figure.scrollWidth) + 2 * margin);
  const height = Math.ceil(box.height + 2 * margin);
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  const hatching = getComputedStyle(document.body).getPropertyValue('--hatch');
  svg.append(
    s('title', {}, title),
    hatchPattern(hatching),
    ...(head ? [s('style', {}, head)] : []),
    s('rect', { width, height, fill: getComputedStyle(document.body).backgroundColor }),
  );
  const words = s('g');
  draw(figure, { svg, words, left: box.left - margin, top: box.top - margin });
  svg.append(words);
  return new XMLSerializer().serializeToString(svg);
}

function draw(element: Element, sheet: Sheet): void {
  if (!element.checkVisibility({ visibilityProperty: true })) return;
  if (element.matches('.unseen, input, button:not(.term, .feature, .edge), [hidden]')) return;
  if (element instanceof SVGSVGElement) {
    sheet.svg.append(styledCopy(element, sheet));
    return;
  }
  const styles = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  sheet.svg.append(...boxOf(box, styles, sheet), ...lineBefore(element, box, sheet));
  if (element instanceof HTMLSelectElement) {
    sheet.words.append(chosenOf(element, box, styles, sheet));
    return;
  }
  for (const child of element.childNodes) {
    if (child instanceof Text) sheet.words.append(...wordsOf(child, styles, sheet));
    else if (child instanceof Element) draw(child, sheet);
  }
}

/** Draws the ground and the edges of a box, if it has any. */
function boxOf(box: DOMRect, styles: CSSStyleDeclaration, { left, top }: Sheet): SVGElement[] {
  const widths = sides.map((side) => Number.parseFloat(styles.getPropertyValue(`${side}-width`)));
  const edge = widths.every((each) => each === widths[0]) ? (widths[0] ?? 0) : 0;
  const hasGround = !/^(transparent|rgba\(\d+, \d+, \d+, 0\))$/.test(styles.backgroundColor);
  const isHatched = styles.backgroundImage.includes('repeating');
  const place = {
    x: box.left - left + edge / 2,
    y: box.top - top + edge / 2,
    width: Math.max(0, box.width - edge),
    height: Math.max(0, box.height - edge),
    rx: Number.parseFloat(styles.borderTopLeftRadius) || 0,
  };
  const line = edge > 0 && {
    stroke: styles.borderTopColor,
    'stroke-width': edge,
    ...(styles.borderTopStyle === 'dashed' && { 'stroke-dasharray': '4 3' }),
  };
  const ground = hasGround ? styles.backgroundColor : 'none';
  return [
    ...(hasGround || edge > 0 ? [s('rect', { ...place, fill: ground, ...line })] : []),
    ...(isHatched ? [s('rect', { ...place, fill: 'url(#hatching)' })] : []),
    ...filledPart(place, styles),
    ...(edge > 0 ? [] : linesOf(box, styles, { left, top })),
  ];
}

/** Draws the lower part of a box whose style sheet fills it by an amount. */
function filledPart(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  styles: CSSStyleDeclaration,
): SVGElement[] {
  const amount = Number(styles.getPropertyValue('--fill'));
  const highest = 1.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (!(amount > 0) || !styles.backgroundImage.includes('gradient')) return [];
  const high = amount * highest;
  const fill = styles.getPropertyValue('--bar');
  return [s('rect', { x, y: y + height - high, width, height: high, fill })];
}

const sides = ['border-top', 'border-right', 'border-bottom', 'border-left'];

/** Draws the sides of a box that have an edge, such as the lower ones of the rows of a table. */
function linesOf(
  box: DOMRect,
  styles: CSSStyleDeclaration,
  { left, top }: Pick<Sheet, 'left' | 'top'>,
): SVGElement[] {
  return sides.flatMap((side, index) => {
    const width = Number.parseFloat(styles.getPropertyValue(`${side}-width`));
    const stroke = styles.getPropertyValue(`${side}-color`);
    if (!(width > 0) || /, 0\)$|transparent/.test(stroke)) return [];
    const [x, y] = [box.left - left, box.top - top];
    const half = width / 2;
    const d = [
      `M${x} ${y + half}h${box.width}`,
      `M${x + box.width - half} ${y}v${box.height}`,
      `M${x} ${y + box.height - half}h${box.width}`,
      `M${x + half} ${y}v${box.height}`,
    ][index];
    const look = styles.getPropertyValue(`${side}-style`);
    const dash = { dotted: `${width} ${width}`, dashed: '4 3' }[look];
    return [s('path', { d, stroke, 'stroke-width': width, 'stroke-dasharray': dash })];
  });
}

/** Draws the line that a style sheet puts before the content of an element, inside its box. */
function lineBefore(element: Element, box: DOMRect, sheet: Sheet): SVGElement[] {
  const styles = getComputedStyle(element, '::before');
  const isInside = getComputedStyle(element).position !== 'static';
  if (!/^""$/.test(styles.content) || styles.position !== 'absolute' || !isInside) return [];
  const size = (name: string) => Number.parseFloat(styles.getPropertyValue(name)) || 0;
  const across = size('width') + size('border-left-width') + size('border-right-width');
  const place = new DOMRect(box.left + size('left'), box.top + size('top'), across, size('height'));
  return boxOf(place, styles, sheet);
}

/** Draws the chosen text of a list. */
function chosenOf(
  list: HTMLSelectElement,
  box: DOMRect,
  styles: CSSStyleDeclaration,
  { left, top }: Sheet,
): SVGElement {
  const place = {
    x: box.left - left + Number.parseFloat(styles.paddingLeft) + 1,
    y: box.top - top + box.height / 2,
    'dominant-baseline': 'central',
    fill: styles.color,
  };
  const font = { 'font-family': styles.fontFamily, 'font-size': styles.fontSize };
  return s('text', { ...place, ...font }, list.selectedOptions[0]?.text);
}

let pen: CanvasRenderingContext2D | null | undefined;

/** Draws text at its places: whole if it is one line, else word by word. */
function wordsOf(node: Text, styles: CSSStyleDeclaration, { left, top }: Sheet): SVGElement[] {
  if (node.data.trim() === '') return [];
  pen ??= document.createElement('canvas').getContext('2d');
  if (pen) pen.font = `${styles.fontWeight} ${styles.fontSize} ${styles.fontFamily}`;
  const ascent = pen?.measureText('M').fontBoundingBoxAscent ?? 0;
  const range = document.createRange();
  range.selectNodeContents(node);
  const isOneLine = range.getClientRects().length === 1;
  const parts = node.data.matchAll(isOneLine ? /\S(?:[\s\S]*\S)?/g : /\S+/g);
  return Array.from(parts, (part) => {
    const start = part.index;
    range.setStart(node, start);
    range.setEnd(node, start + part[0].length);
    const box = range.getBoundingClientRect();
    // The length keeps words apart in a program without the page's fonts.
    const place = {
      x: box.left - left,
      y: box.top - top + ascent,
      fill: styles.color,
      textLength: box.width.toFixed(1),
      lengthAdjust: 'spacingAndGlyphs',
    };
    const font = { 'font-family': styles.fontFamily, 'font-size': styles.fontSize };
    return s('text', { ...place, ...font, 'font-weight': styles.fontWeight }, part[0]);
  });
}

function hatchPattern(stroke: string): SVGElement {
  const size = { width: 6, height: 6, patternUnits: 'userSpaceOnUse' };
  const line = s('path', { d: 'M0 0V6', stroke, 'stroke-width': 2 });
  return s(
    'defs',
    {},
    s('pattern', { id: 'hatching', ...size, patternTransform: 'rotate(45)' }, line),
  );
}

function styledCopy(svg: SVGSVGElement, { left, top }: Sheet): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg, copy].map((each) => [each, ...each.querySelectorAll('*')]);
  from?.forEach((element, index) => {
    const styles = getComputedStyle(element);
    const target = to?.[index];
    target?.setAttribute(
      'style',
      properties.map((name) => `${name}:${styles.getPropertyValue(name)}`).join(';'),
    );
    const turn = Number.parseFloat(styles.rotate);
    const [x = 0, y = 0] = styles.transformOrigin.split(' ').map(Number.parseFloat);
    if (Number.isFinite(turn)) target?.setAttribute('transform', `rotate(${turn} ${x} ${y})`);
    for (const name of ['class', 'tabindex', 'data-link']) target?.removeAttribute(name);
  });
  const box = svg.getBoundingClientRect();
  const place = { x: box.left - left, y: box.top - top, width: box.width, height: box.height };
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
  return copy;
}
