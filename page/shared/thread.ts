// SPDX-License-Identifier: MIT
// The thread through the drawing: one row, one step, one layer and one painted mask. The form of
// chapter 4 contains them; every chapter of the drawing shows them.
import { type Batch, batchOf, places } from './batch.js';
import { find } from './dom.js';
import { Settings, type Values, readForm, writeForm, drive } from './settings.js';

/** Id of the chapter whose form contains the thread. */
export const threadOwner = 'steps';

const names = ['layer', 'merge', 'initial', 'backwards', 'stateful', 'row', 'at', 'holes', 'nans'];

const form = () => find<HTMLFormElement>(`#${threadOwner} form`);

/** Returns the settings of the thread, which chapters that follow it read like their own. */
export const threadValues = (): Values =>
  new Map([...readForm(form())].filter(([name]) => names.includes(name)));

export interface Choice {
  row: number;
  step: number;
}

/** Returns the chosen row and step, within the limits of the batch. */
export function chosenIn(settings: Settings, batch: Batch): Choice {
  const wordPlaces = places(batch);
  const row = settings.integer('row', 0, wordPlaces.length - 1) ?? 0;
  const last = (wordPlaces[row]?.length ?? 1) - 1;
  const at = settings.integer('at', 0, last) ?? last;
  return { row, step: readsBackwards(settings) ? last - at : at };
}

/** How a Bidirectional layer joins its halves; 'no' for another layer. */
export const mergeOf = (settings: Settings) =>
  settings.choice('merge', 'no', 'concat', 'sum', 'mul', 'ave', 'none');

/** Whether the layer reads from the end; Bidirectional reads both ways itself. */
export const readsBackwards = (settings: Settings): boolean =>
  mergeOf(settings) === 'no' && settings.flag('backwards');

/** Changes settings of the thread on behalf of the chapter that the visitor uses. */
export function changeThread(
  values: { [name: string]: string },
  chapter: string,
  how: 'changing' | 'done' = 'done',
): void {
  const entries = Object.entries(values);
  const last = entries.pop();
  writeForm(form(), new Map(entries));
  if (last) drive(form(), ...last, how, chapter);
}

/** Chooses a row and a step. */
export function choose({ row, step }: Choice, chapter: string): void {
  const settings = new Settings(readForm(form()));
  const steps = places(batchNow())[row]?.length ?? 1;
  const at = readsBackwards(settings) ? steps - 1 - step : step;
  changeThread({ row: String(row), at: String(at) }, chapter);
}

const batchNow = (): Batch =>
  batchOf(new Settings(readForm(find<HTMLFormElement>('#padding form'))));

/**
 * Moves settings of the open cell, which had its own row, step, layer and mask in version 0.1, to
 * the thread. They win if the address opens the cell.
 */
export function readOldCell(values: Map<string, Values>, chapter: string): void {
  const cell = values.get('cell');
  if (!cell) return;
  const thread = values.get(threadOwner) ?? new Map<string, string>();
  for (const name of ['row', 'step', 'layer', 'holes']) {
    const value = cell.get(name);
    if (value === undefined) continue;
    cell.delete(name);
    const own = name === 'step' ? 'at' : name;
    if (chapter === 'cell' || !thread.has(own)) thread.set(own, value);
  }
  if (thread.size > 0) values.set(threadOwner, thread);
}

// ── marks

/** Makes a click on a cell of the drawing choose its row and step, and marks the chosen ones. */
export function followThread(): void {
  document.addEventListener('click', ({ target }) => {
    const cell =
      target instanceof Element ? target.closest<HTMLElement>('.part [data-link]') : null;
    // Cells to paint on choose by themselves; controls inside a cell have their own meaning.
    if (!cell || (target as Element).closest('.paint, button')) return;
    const [, row, step] = /\br(\d+)t(\d+)\b/.exec(cell.dataset['link'] ?? '') ?? [];
    const chapter = cell.closest('.chapter')?.id;
    if (step === undefined || chapter === undefined) return;
    choose({ row: Number(row), step: Number(step) }, chapter);
  });
  document.addEventListener('drawn', ({ target }) => {
    if ((target as Element).matches('.part')) markChosen();
  });
  const strip = document.createElement('div');
  strip.className = 'strand';
  find('main').append(strip);
  // Once before each frame, because reading places between changes lays out the page each time.
  let isWaiting = false;
  const place = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      placeStrand(strip);
    });
  };
  const watch = new ResizeObserver(place);
  for (const part of document.querySelectorAll('.part')) watch.observe(part);
  document.addEventListener('drawn', ({ target }) => {
    if (canMoveDrawing(target as Element)) place();
  });
  document.addEventListener('scroll', place, { capture: true, passive: true });
}

/** Whether a chapter is in the drawing or above it: those below do not move it. */
export function canMoveDrawing(chapter: Element): boolean {
  const end = [...document.querySelectorAll('.part')].at(-1);
  return !((end?.compareDocumentPosition(chapter) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING);
}

const linkOf = ({ row, step }: Choice): string => `r${row}t${step}`;
const chosenNow = (): Choice => chosenIn(new Settings(threadValues()), batchNow());

function markChosen(): void {
  for (const element of document.querySelectorAll('.chosen-step, .chosen-row'))
    element.classList.remove('chosen-step', 'chosen-row');
  const choice = chosenNow();
  // The width of the columns of all figures follows from the number of steps.
  const steps = places(batchNow())[0]?.length ?? 1;
  find('main').style.setProperty('--steps', String(Math.max(1, steps)));
  for (const element of document.querySelectorAll(`.part [data-link~="${linkOf(choice)}"]`)) {
    element.classList.add('chosen-step');
    element.closest('tr')?.classList.add('chosen-row');
  }
}

/**
 * Draws the column of the chosen step from the batch down to the open cell, behind all figures; not
 * at all if a figure is scrolled, so that its columns are elsewhere.
 */
function placeStrand(strip: HTMLElement): void {
  const cells = ['#padding .grid', '#steps .paint'].map((figure) =>
    document.querySelector(`${figure} .chosen-step`)?.getBoundingClientRect(),
  );
  const end = document.querySelector('#cell .opened')?.getBoundingClientRect();
  const [top, row] = cells;
  const isAligned = top && row && end && top.width > 0 && Math.abs(top.left - row.left) < 2;
  strip.hidden = !isAligned;
  if (!isAligned) return;
  const { left, top: start } = find('main').getBoundingClientRect();
  strip.style.cssText = `left: ${top.left - left - 3}px; width: ${top.width + 6}px; top: ${top.top - start - 6}px; height: ${Math.max(0, end.top - top.top + 6)}px`;
  const opened = find('#cell .opened');
  const from = row.left - end.left;
  opened.style.setProperty('--from', `${from - 3}px`);
  opened.style.setProperty('--to', `${from + row.width + 3}px`);
}
