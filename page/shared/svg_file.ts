// SPDX-License-Identifier: MIT
// The drawings of a figure as one SVG file, with the styles that the page's style sheet gives them.
import { s } from './dom.js';

const properties = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['opacity', 'display', 'visibility', 'font-family', 'font-size', 'font-weight'],
  ...['text-anchor', 'dominant-baseline', 'letter-spacing'],
];

/** Narrower drawings are signs in the text. */
const narrowest = 160;
const gapBetween = 16;

/** Returns the text of a file; undefined if the figure has no drawing. */
export function svgOf(picture: HTMLElement, title: string): string | undefined {
  const drawings = [...picture.querySelectorAll<SVGSVGElement>('svg')].filter(
    (svg) => !svg.parentElement?.closest('svg') && svg.getBoundingClientRect().width >= narrowest,
  );
  if (drawings.length === 0) return undefined;
  const boxes = drawings.map((svg) => svg.getBoundingClientRect());
  const width = Math.ceil(Math.max(...boxes.map((box) => box.width)));
  const height = Math.ceil(boxes.reduce((sum, box) => sum + box.height + gapBetween, gapBetween));
  const sheet = s('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' });
  sheet.append(
    s('title', {}, title),
    s('rect', { width, height, fill: getComputedStyle(document.body).backgroundColor }),
  );
  let top = gapBetween;
  drawings.forEach((svg, index) => {
    const box = boxes[index] as DOMRect;
    sheet.append(styledCopy(svg, { y: top, width: box.width, height: box.height }));
    top += box.height + gapBetween;
  });
  return new XMLSerializer().serializeToString(sheet);
}

function styledCopy(
  svg: SVGSVGElement,
  place: { y: number; width: number; height: number },
): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg, copy].map((each) => [each, ...each.querySelectorAll('*')]);
  from?.forEach((element, index) => {
    const styles = getComputedStyle(element);
    const target = to?.[index];
    target?.setAttribute(
      'style',
      properties.map((name) => `${name}:${styles.getPropertyValue(name)}`).join(';'),
    );
    for (const name of ['class', 'tabindex', 'data-link']) target?.removeAttribute(name);
  });
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
  return copy;
}
