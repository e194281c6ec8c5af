// SPDX-License-Identifier: MIT
export type Child = Node | string | number | null | undefined | false;
type Attributes = { [name: string]: string | number | boolean | null | undefined };

/** An element with attributes and children; `false`, null and undefined leave things out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(
    ...children.filter(isThere).map((child) => (child instanceof Node ? child : String(child))),
  );
  return element;
}

/** The same for SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(element, attributes);
  element.append(
    ...children.filter(isThere).map((child) => (child instanceof Node ? child : String(child))),
  );
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (isThere(value)) element.setAttribute(name, String(value));
  }
}

function isThere<T>(value: T | null | undefined | false): value is T {
  return value !== null && value !== undefined && value !== false;
}

/** The one element that must be there; the page's HTML and its script belong together. */
export function find<T extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): T {
  const element = within.querySelector<T>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}

/** Draws anew inside an element; the focus goes on to the element with the same `data-key`. */
export function keepFocus(within: HTMLElement, draw: () => void): void {
  const active = document.activeElement;
  const key = within.contains(active) ? (active as HTMLElement).dataset['key'] : undefined;
  draw();
  if (key !== undefined)
    within
      .querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
      ?.focus({ preventScroll: true });
}

/** Text inside which `code` is marked with backticks, as nodes. */
export function rich(text: string): Child[] {
  return text.split('`').map((part, index) => (index % 2 ? h('code', {}, part) : part));
}

/** Sets a live region only when it changes: screen readers repeat whatever is written again. */
export function say(element: HTMLElement, text: string): void {
  if (element.dataset['said'] === text) return;
  element.dataset['said'] = text;
  element.replaceChildren(...(rich(text) as (Node | string)[]));
}
