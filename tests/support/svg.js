// SPDX-License-Identifier: MIT
// Reads figures of maskflow/draw as strictly as XML asks, and checks what all figures promise.
import assert from 'node:assert/strict';

const entity = /&#(3[489]|6[02]);/g;
const forbidden = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;

/** Returns the text of character data; every `&` and `<` in it must be escaped. */
function readText(text) {
  assert.doesNotMatch(text.replace(entity, ''), /[&<]/, `unescaped: ${text.slice(0, 200)}`);
  return text.replace(entity, (_, code) => String.fromCharCode(code));
}

function readAttributes(text) {
  const attributes = {};
  let rest = text;
  while (rest.trim() !== '') {
    const match = /^\s+([a-zA-Z:-]+)="([^"<]*)"/.exec(rest);
    assert.ok(match, `not an attribute: ${rest.slice(0, 200)}`);
    assert.ok(!Object.hasOwn(attributes, match[1]), `twice: ${match[1]}`);
    attributes[match[1]] = readText(match[2]);
    rest = rest.slice(match[0].length);
  }
  return attributes;
}

/** Parses a document; throws an error where it is not well-formed. */
export function parseXml(source) {
  assert.doesNotMatch(source, forbidden, 'a character that XML forbids');
  const root = { tag: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [, tag, text] of source.matchAll(/<([^>]*)>|([^<]+)/g)) {
    const parent = open.at(-1);
    if (text !== undefined) {
      parent.text += readText(text);
    } else if (tag.startsWith('/')) {
      assert.equal(tag.slice(1), parent.tag, 'end tag');
      open.pop();
    } else {
      const [, name, attributes, end] = /^([a-z]+)((?:\s[\s\S]*?)?)(\/?)$/.exec(tag) ?? [];
      assert.ok(name, `not a tag: <${tag.slice(0, 200)}>`);
      const element = { tag: name, attributes: readAttributes(attributes), children: [], text: '' };
      parent.children.push(element);
      if (!end) open.push(element);
    }
  }
  assert.equal(open.length, 1, `not closed: ${open.at(-1).tag}`);
  assert.equal(root.children.length, 1, 'one root');
  assert.equal(root.text, '', 'text beside the root');
  return root.children[0];
}

const tags = ['svg', 'title', 'desc', 'style', 'g', 'rect', 'path', 'text'];
const attributeNames = new Set(
  'xmlns viewBox width height class role font-family fill fill-opacity stroke stroke-width stroke-dasharray stroke-linejoin stroke-linecap paint-order x y rx d font-size text-anchor font-weight transform'.split(
    ' ',
  ),
);

/** Returns all elements below one, in the order of the document. */
export const elementsOf = (element) => [element, ...element.children.flatMap(elementsOf)];

/**
 * Checks that a figure is well-formed, has only known elements and attributes, no script, no
 * address and no number that is not one, and texts for screen readers. Returns its root.
 */
export function checkFigure(svg) {
  const root = parseXml(svg.trimEnd());
  assert.equal(root.tag, 'svg');
  assert.equal(root.attributes.role, 'img');
  assert.deepEqual(
    root.children.slice(0, 3).map(({ tag }) => tag),
    ['title', 'desc', 'style'],
  );
  for (const { text } of root.children.slice(0, 2)) assert.notEqual(text, '');
  assert.doesNotMatch(root.children[2].text, /url|import|javascript|expression/i);
  for (const { tag, attributes } of elementsOf(root)) {
    assert.ok(tags.includes(tag), tag);
    for (const [name, value] of Object.entries(attributes)) {
      assert.ok(attributeNames.has(name), `${name} of ${tag}`);
      assert.doesNotMatch(value, /NaN|undefined|Infinity|null|\be\+/, `${name} of ${tag}`);
      if (name !== 'xmlns') assert.doesNotMatch(value, /url\(|:\/\//, `${name} of ${tag}`);
    }
  }
  return root;
}

/** Returns the texts that a figure shows. */
export const textsOf = (svg) =>
  elementsOf(checkFigure(svg))
    .filter(({ tag }) => tag === 'text')
    .map(({ text }) => text);

/** Light colours of figures by name. */
const colours = {
  card: '#faf9f6',
  lost: '#fdeee4',
  kept: '#d5e8f6',
  masked: '#f7f5f1',
  wire: '#7d8694',
  cut: '#a63c00',
  line: '#0064a3',
};

/** Returns the tiles of a figure: 'kept' or 'masked'. */
export const tilesOf = (svg, name) =>
  elementsOf(checkFigure(svg))
    .filter(({ tag, attributes }) => tag === 'g' && attributes.fill === colours[name])
    .flatMap(({ children }) => children);

/** Returns the cards, 'card' or 'lost', or the lines, 'wire', 'cut' or 'line', of a figure. */
export const marksOf = (svg, name) =>
  elementsOf(checkFigure(svg)).filter(
    ({ tag, attributes: { fill, stroke, d = '' } }) =>
      (tag === 'rect' && fill === colours[name]) ||
      (tag === 'path' && stroke === colours[name] && !/h0/.test(d)),
  );

/** Returns the cards of a model: elements with a title. */
export const cardsOf = (svg) =>
  elementsOf(checkFigure(svg)).filter(
    ({ tag, children }) => tag === 'g' && children[0]?.tag === 'title',
  );
