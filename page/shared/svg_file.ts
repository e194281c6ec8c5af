// SPDX-License-Identifier: MIT
// A figure as one SVG file, as the screen shows it: drawings with the styles of the page's style
// sheet, and tiles, numbers and words of HTML in their places.
import { s } from './dom.js';

const properties = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['opacity', 'display', 'visibility', 'font-family', 'font-size', 'font-weight'],
  ...['text-anchor', 'dominant-baseline', 'letter-spacing'],
];

/** Narrower drawings are signs in the text. */
const narrowest = 160;
const margin = 16;

/** A sheet, and the corner of the screen at which it begins. */
interface Sheet {
  svg: SVGElement;
  /** Words in HTML, which are above all drawings. */
  words: SVGElement;
  left: number;
  top: number;
}

/** Returns the text of a file; undefined if the figure has no drawing. */
export function svgOf(picture: HTMLElement, title: string): string | undefined {
  const isDrawing = (svg: Element) => svg.getBoundingClientRect().width >= narrowest;
  if (![...picture.querySelectorAll('svg')].some(isDrawing)) return undefined;
  // The row of the toy is beside its drawings.
  const figure = picture.closest<HTMLElement>('.toy') ?? picture;
  const box = figure.getBoundingClientRect();
  const width = Math.ceil(Math.max(box.width, figure.scrollWidth) + 2 * margin);
  const height = Math.ceil(box.height + 2 * margin);
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  const hatching = getComputedStyle(document.body).getPropertyValue('--hatch');
  svg.append(
    s('title', {}, title),
    hatchPattern(hatching),
    s('rect', { width, height, fill: getComputedStyle(document.body).backgroundColor }),
  );
  const words = s('g');
  draw(figure, { svg, words, left: box.left - margin, top: box.top - margin });
  svg.append(words);
  return new XMLSerializer().serializeToString(svg);
}

function draw(element: Element, sheet: Sheet): void {
  if (!element.checkVisibility({ visibilityProperty: true })) return;
  if (element.matches('.unseen, input, select, button, [hidden]')) return;
  if (element instanceof SVGSVGElement) {
    sheet.svg.append(styledCopy(element, sheet));
    return;
  }
  const styles = getComputedStyle(element);
  sheet.svg.append(...boxOf(element, styles, sheet));
  for (const child of element.childNodes) {
    if (child instanceof Text) sheet.words.append(...wordsOf(child, styles, sheet));
    else if (child instanceof Element) draw(child, sheet);
  }
}

/** Draws the ground and the edge of an element, if it has any. */
function boxOf(element: Element, styles: CSSStyleDeclaration, { left, top }: Sheet): SVGElement[] {
  const edge = Number.parseFloat(styles.borderTopWidth) || 0;
  const hasGround = !/^(transparent|rgba\(\d+, \d+, \d+, 0\))$/.test(styles.backgroundColor);
  const isHatched = styles.backgroundImage.includes('gradient');
  if (edge === 0 && !hasGround && !isHatched) return [];
  const box = element.getBoundingClientRect();
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
    s('rect', { ...place, fill: ground, ...line }),
    ...(isHatched ? [s('rect', { ...place, fill: 'url(#hatching)' })] : []),
  ];
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
