// SPDX-License-Identifier: MIT
import { chapters } from './chapters/chapters.js';
import order from './chapters/order.json';
import { NoEngine, engine } from './engine/host.js';
import { readPlace, writePlace } from './shared/address.js';
import { type Mounted, mount } from './shared/chapter.js';
import { copyText } from './shared/code.js';
import { find, say } from './shared/dom.js';
import { embed } from './shared/embed.js';
import { linkHover } from './shared/linked.js';
import { unfoldForPrint } from './shared/print.js';
import type { Values } from './shared/settings.js';

const mounted = new Map<string, Mounted>();
const coming = new Map<string, Promise<void>>();
/** Settings from the address for chapters that are not here yet. */
let kept = new Map<string, Values>();
/** And for chapters that are here, whose turn has not come yet. */
let awaited = new Map<string, Values>();
let onView = 'proof';

const query = new URLSearchParams(location.search);
/** One chapter alone, for a blog or a course: `?chapter=3&embed`. */
const embedded = query.has('embed') ? idOf(query.get('chapter') ?? '') : undefined;

/** A chapter by its name or its number; the first one for anything else. */
function idOf(text: string): string {
  const found = order.find(({ id }, number) => id === text || String(number) === text);
  return found?.id ?? 'proof';
}

// ── the address

let changing = false;
let later: ReturnType<typeof setTimeout> | undefined;

/** The first of several changes is a new entry in the history; those that follow, until the control is let go, are the same. */
function remember(id: string, how: 'changing' | 'done'): void {
  onView = id;
  if (how === 'changing') {
    write(changing ? 'replace' : 'push');
    changing = true;
    if (id === 'padding') redrawOthers();
  } else changing = false;
}

function write(how: 'push' | 'replace'): void {
  clearTimeout(later);
  const values = new Map([
    ...kept,
    ...[...mounted].map(([id, each]) => [id, each.changed()] as const),
    ...awaited,
  ]);
  const address = writePlace({ chapter: onView, values });
  if (address === location.hash) return;
  try {
    // The history of a page around this one is not ours.
    const push = how === 'push' && embedded === undefined;
    history[push ? 'pushState' : 'replaceState'](null, '', address);
  } catch {
    // Engines bound how often; the address follows when there is room again.
    later = setTimeout(() => write('replace'), 1000);
  }
}

let recalls = 0;

async function recall(): Promise<void> {
  clearTimeout(later);
  changing = false;
  const turn = ++recalls;
  const { chapter, values } = readPlace(location.hash);
  kept = values;
  const wanted = (each: Mounted) => values.get(each.id) ?? new Map<string, string>();
  // The batch first: other chapters are drawn from it.
  const padding = mounted.get('padding');
  const batch = padding !== undefined && !same(padding.changed(), wanted(padding));
  if (batch) await padding.apply(wanted(padding));
  const others = [...mounted.values()].filter(
    (each) =>
      each !== padding &&
      (!same(each.changed(), wanted(each)) || (batch && usesBatch.has(each.id))),
  );
  if (turn !== recalls) return;
  awaited = new Map(others.map((each) => [each.id, wanted(each)]));
  for (const { id } of others) find(`#${id}`).dataset['drawn'] = 'no';
  for (const each of others) {
    if (turn !== recalls) return;
    awaited.delete(each.id);
    void each.apply(wanted(each));
    // Each in a task of its own: many drawings in one would hold the page up.
    await new Promise((done) => setTimeout(done));
  }
  if (chapter && turn === recalls) await goTo(idOf(chapter));
}

const same = (a: Values, b: Values): boolean =>
  a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);

function redrawOthers(): void {
  for (const each of mounted.values())
    if (each.id !== 'padding' && usesBatch.has(each.id)) void each.redraw();
}

// ── chapters

const usesBatch = new Set<string>();

/** A chapter whose script did not come: that is told in its place, and tried again when it is asked for. */
function lost(id: string, error: unknown): void {
  coming.delete(id);
  const reason = error instanceof Error ? error.message : String(error);
  const place = find(`#${id} .picture`);
  const told =
    place.querySelector('.lost-script') ?? place.appendChild(document.createElement('p'));
  told.className = 'problem lost-script';
  told.textContent = `This chapter did not arrive (${reason}). Load the page again.`;
}

function bring(id: string): Promise<void> {
  const known = coming.get(id);
  if (known) return known;
  const entry = chapters.find((each) => each.id === id);
  const brought = entry
    ? mountChapter(entry).catch((error: unknown) => lost(id, error))
    : Promise.resolve();
  coming.set(id, brought);
  return brought;
}

async function mountChapter({ id, load }: (typeof chapters)[number]): Promise<void> {
  const chapter = await load();
  if (chapter.usesBatch) usesBatch.add(id);
  const made = mount(chapter, remember);
  mounted.set(id, made);
  // What was typed before the chapter's script came stands, unless the address says something else.
  const values = kept.get(id) ?? made.changed();
  kept.delete(id);
  await inPlace(() => made.apply(values));
}

/** What is drawn above the chapter on view must not move it; not every engine sees to that by itself. */
async function inPlace(draw: () => Promise<void>): Promise<void> {
  const place = () => find(`#${onView}`).getBoundingClientRect().top;
  const before = place();
  const scrolled = scrollY;
  await draw();
  const moved = place() - before;
  if (moved !== 0 && scrollY === scrolled && scrolled > 0)
    scrollBy({ top: moved, behavior: 'instant' });
}

async function goTo(id: string, behavior: ScrollBehavior = 'auto'): Promise<void> {
  onView = id;
  const target = find(`#${id}`);
  target.scrollIntoView({ behavior });
  target.querySelector('h2')?.focus({ preventScroll: true });
  await bring(id);
}

/** Links to chapters keep the settings that stand behind them in the address. */
function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    onView = idOf(link.hash.slice(1));
    changing = false;
    write('push');
    void goTo(onView);
  });
  window.addEventListener('popstate', () => void recall());
}

/** A chapter comes when it is near, and all of them when there is nothing else to do, for the page may be printed or searched. */
function bringWhenNear(): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) void bring(target.id);
    },
    { rootMargin: '700px 0px' },
  );
  for (const { id } of order) near.observe(find(`#${id}`));
}

async function bringTheRest(): Promise<void> {
  for (const { id } of order) {
    await idle();
    await bring(id).catch(() => {});
  }
  document.documentElement.dataset['complete'] = '';
}

const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 200);
  });

function markCurrent(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('nav a')].map((a) => [a.hash.slice(1), a]),
  );
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target.id);
        if (!isIntersecting) link?.removeAttribute('aria-current');
        else if (link) {
          link.setAttribute('aria-current', 'true');
          // On a phone the row of links is longer than the screen.
          find('.bar nav').scrollLeft = link.offsetLeft - find('.bar nav').offsetLeft - 16;
        }
      }
    },
    { rootMargin: '-45% 0px -54% 0px' },
  );
  for (const section of document.querySelectorAll('main > section')) seen.observe(section);
}

// ── the page

/** What ran, once there is something to say. */
async function tellStatus(): Promise<void> {
  const status = find('[data-slot="status"]');
  try {
    const { version, variant, wasmBytes, milliseconds } = await engine('recurrent').started;
    const kilobytes = Math.round(wasmBytes / 1000);
    say(
      status,
      `Computed here, in this page: maskflow ${version}, ${kilobytes} kB of WebAssembly (${variant}), ready in ${Math.round(milliseconds)} ms.`,
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const lacking = error instanceof NoEngine && error.lacking;
    const place = find('[data-no-wasm]');
    if (!lacking)
      say(place, `What computes the figures did not start: ${message} Load the page again.`);
    place.hidden = false;
    say(status, 'Nothing can be computed here.');
  }
}

function offerLink(): void {
  find('[data-link-button]').addEventListener('click', async () => {
    const copied = await copyText(location.href);
    const answer = copied ? 'Copied.' : 'Not allowed here; the address of this page is the link.';
    say(find('[data-slot="copied"]'), answer);
  });
}

/** Drawings are made for the width they have. */
function redrawWhenResized(): void {
  let width = document.documentElement.clientWidth;
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (width === document.documentElement.clientWidth) return;
      width = document.documentElement.clientWidth;
      for (const each of mounted.values()) void each.redraw();
    }, 200);
  });
}

/** A file dropped beside the place for files must not take the page away. */
function keepPage(): void {
  for (const type of ['dragover', 'drop'] as const) {
    document.addEventListener(type, (event) => event.preventDefault());
  }
}

async function begin(): Promise<void> {
  keepPage();
  redrawWhenResized();
  unfoldForPrint();
  followLinks();
  linkHover();
  offerLink();
  void tellStatus();
  const { chapter, values } = readPlace(location.hash);
  kept = values;
  if (embedded) {
    onView = embedded;
    embed(embedded);
    await bring(embedded);
    return;
  }
  if (values.has('padding')) await bring('padding');
  markCurrent();
  if (chapter) await goTo(idOf(chapter), 'instant');
  else await bring('proof');
  bringWhenNear();
  await bringTheRest();
}

// The classic build of this script may run before the page has been read to its end.
if (document.readyState === 'loading')
  document.addEventListener('DOMContentLoaded', () => void begin());
else void begin();
