// SPDX-License-Identifier: MIT
// Draws docs/images/toy.svg, the moving picture of the page's toy for the README and the docs: a
// zero slides in behind the row, and the answer without a mask falls. Its numbers are computed by
// the built package. It is still for readers who prefer reduced motion, and shows the fall then.
import { writeFileSync } from 'node:fs';
import { at } from './lib/files.mjs';
import { isProgram, main } from './lib/process.mjs';

const row = [...'[(){}]'];
const places = 4;
const tile = 48;
/** Left end of the row, and of the dials. */
const left = 24;
const loop = '7s';

/** Returns the answers for 0 to `most` empty places, with the mask and without it. */
export async function answersOf({ loadModel, padSequences, serializeLayer }, most = 1) {
  const model = await loadModel(at('tests', 'fixtures', 'trained', 'brackets.keras'));
  const json = JSON.stringify(serializeLayer(model)).replaceAll(
    '"mask_zero":true',
    '"mask_zero":false',
  );
  const bare = await loadModel(JSON.parse(json), { weights: await model.saveWeights() });
  const ids = [row.map((bracket) => ' ()[]{}'.indexOf(bracket))];
  const answers = Array.from({ length: most + 1 }, (_, steps) => {
    const x = padSequences(ids, { padding: 'post', maxlen: row.length + steps });
    return { masked: model.predict(x).item(), bare: bare.predict(x).item() };
  });
  model.dispose();
  bare.dispose();
  return answers;
}

const style = `
svg{--paper:#faf9f6;--ink:#1b2330;--soft:#535d6e;--line:#dcd9d1;--kept:#d5e8f6;--kept-ink:#0b3352;--kept-edge:#8fbfe0;--masked:#f4f2ed;--masked-ink:#5a6170;--edge:#7d8694;--accent:#0064a3;--alarm:#a63c00}
@media (prefers-color-scheme:dark){svg{--paper:#12161d;--ink:#e9ecf2;--soft:#a9b3c3;--line:#2f3846;--kept:#16405f;--kept-ink:#dcefff;--kept-edge:#2d6690;--masked:#171c25;--masked-ink:#a3adbd;--edge:#76839a;--accent:#6fb8f0;--alarm:#ff9d63}}
text{font:20px "Atkinson Hyperlegible Next","Helvetica Neue",Arial,sans-serif;fill:var(--ink);text-anchor:middle}
.tile{font:26px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--kept-ink)}
.number{font-size:26px;font-weight:700}
.start{text-anchor:start}
.before{opacity:0}
@media (prefers-reduced-motion:no-preference){
.zero{animation:slide ${loop} infinite}
.needle{animation:fall ${loop} infinite}
.before{animation:leave ${loop} infinite}
.after{animation:come ${loop} infinite}
}
@keyframes slide{0%,20%{transform:translateX(${places * tile}px);opacity:0}28%,92%{transform:none;opacity:1}97%,100%{transform:none;opacity:0}}
@keyframes fall{0%,28%{transform:rotate(var(--from))}34%,95%{transform:rotate(var(--to))}100%{transform:rotate(var(--from))}}
@keyframes leave{0%,30%{opacity:1}31%,98%{opacity:0}99%,100%{opacity:1}}
@keyframes come{0%,30%{opacity:0}31%,98%{opacity:1}99%,100%{opacity:0}}
`.trim();

/** The angle of a needle: half a circle from “not balanced” on the left to “balanced”. */
const angle = (answer) => ((answer - 0.5) * 180).toFixed(2);
const verdict = (answer) => (answer > 0.5 ? 'balanced' : 'not balanced');

function drawTile(index, text, look, group = '') {
  const [x, y] = [left + index * tile, 28];
  const box = `<rect x="${x + 2}" y="${y}" width="${tile - 4}" height="56" rx="6" ${look}/>`;
  const letter = text && `<text class="tile" x="${x + tile / 2}" y="${y + 37}">${text}</text>`;
  return group ? `<g class="${group}">${box}${letter}</g>` : box + letter;
}

/** Draws a dial; where the answer changes, both states are drawn and take turns. */
function drawDial(x, name, colour, [before, after]) {
  const y = 206;
  const arc = (stroke, share) =>
    `<path d="M${x - 66} ${y}A66 66 0 0 1 ${x + 66} ${y}" pathLength="1" fill="none" stroke="${stroke}" stroke-width="12" stroke-dasharray="${share} 2"/>`;
  const answer = (value, look) =>
    `<g class="${look}">${arc(colour, value.toFixed(4))}<text class="number" style="fill:${colour}" x="${x}" y="${y + 34}">${value.toFixed(4)}</text><text x="${x}" y="${y + 60}">${verdict(value)}</text></g>`;
  const changes = before.toFixed(4) !== after.toFixed(4);
  const turn = `style="transform-origin:${x}px ${y}px;--from:${angle(before)}deg;--to:${angle(after)}deg;transform:rotate(var(--to))"`;
  return [
    `<text x="${x}" y="116">${name}</text>`,
    arc('var(--line)', 1),
    ...(changes ? [answer(before, 'before'), answer(after, 'after')] : [answer(after, 'still')]),
    `<path class="needle" ${turn} d="M${x - 5} ${y}L${x} ${y - 54}L${x + 5} ${y}Z" fill="var(--ink)"/>`,
    `<circle cx="${x}" cy="${y}" r="7" fill="var(--ink)"/>`,
  ].join('\n');
}

/** Returns the picture as SVG. */
export function toyPicture(answers) {
  const both = (name) => answers.map((each) => each[name]);
  const [masked, bare] = [both('masked'), both('bare')];
  const width = 2 * left + (row.length + places) * tile;
  const free = 'fill="none" stroke="var(--line)" stroke-width="1.5"';
  const kept = 'fill="var(--kept)" stroke="var(--kept-edge)" stroke-width="1.5"';
  const padding =
    'fill="var(--masked)" stroke="var(--edge)" stroke-width="1.5" stroke-dasharray="5 3"';
  const edge = left + row.length * tile;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 284" width="${width}" height="284" role="img" aria-labelledby="title desc">`,
    '<title id="title">One zero changes the answer of a model without a mask</title>',
    `<desc id="desc">A row of six brackets. With the mask the model's answer stays ${masked[0].toFixed(4)}, ${verdict(masked[0])}. One empty place is filled with a zero, and the answer without the mask falls from ${bare[0].toFixed(4)} to ${bare[1].toFixed(4)}, ${verdict(bare[1])}.</desc>`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="284" rx="10" fill="var(--paper)"/>`,
    ...row.map((bracket, index) => drawTile(index, bracket, kept)),
    ...Array.from({ length: places }, (_, index) => drawTile(row.length + index, '', free)),
    drawTile(row.length, '0', padding, 'zero').replace(
      'class="tile"',
      'class="tile" style="fill:var(--masked-ink)"',
    ),
    `<path d="M${edge} 16V96" stroke="var(--accent)" stroke-width="5" stroke-linecap="round"/>`,
    drawDial(width / 4, 'with the mask', 'var(--accent)', masked),
    drawDial((3 * width) / 4, 'without it', 'var(--alarm)', bare),
    '</svg>',
  ].join('\n')}\n`;
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    const text = toyPicture(await answersOf(await import('../dist/index.js')));
    writeFileSync(at('docs', 'images', 'toy.svg'), text);
  });
}
