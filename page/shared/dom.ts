// SPDX-License-Identifier: MIT
// Short forms for the DOM, from which all figures are made.
export type Child = Node | string | number | null | undefined | false;
type Attributes = { [name: string]: string | number | boolean | null | undefined };

/** Creates an element; attributes and children that are false, null or undefined are left out. */
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

/** Creates an SVG element, see `h`. */
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

/**
 * Returns the first element that matches. Throws if there is none, because HTML and scripts must
 * agree.
 */
export function find<T extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): T {
  const element = within.querySelector<T>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}

/**
 * Redraws the inside of an element; the focus moves to the new element with the same `data-key`.
 */
export function keepFocus(within: HTMLElement, draw: () => void): void {
  const active = document.activeElement;
  const key = within.contains(active) ? (active as HTMLElement).dataset['key'] : undefined;
  draw();
  if (key !== undefined)
    within
      .querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
      ?.focus({ preventScroll: true });
}

/** Returns text as nodes; parts in backticks become `code` elements. */
export function rich(text: string): Child[] {
  return text.split('`').map((part, index) => (index % 2 ? h('code', {}, part) : part));
}

/** Sets the text of a live region if it changed: screen readers repeat text that is set again. */
export function say(element: HTMLElement, text: string): void {
  if (element.dataset['said'] === text) return;
  element.dataset['said'] = text;
  element.replaceChildren(...(rich(text) as (Node | string)[]));
}
