// SPDX-License-Identifier: MIT
// The page's main script: it mounts chapters when they come near, and keeps the address in step
// with their settings.
import { chapters } from './chapters/chapters.js';
import order from './chapters/order.json';
import { NoEngine, engine } from './engine/host.js';
import { type Place, readPlace, writePlace } from './shared/address.js';
import { aimAt, followAim, isAiming } from './shared/aim.js';
import { type Mounted, mount } from './shared/chapter.js';
import { copyText } from './shared/code.js';
import { find, say } from './shared/dom.js';
import { embed } from './shared/embed.js';
import { linkHover } from './shared/linked.js';
import { followPrinting } from './shared/print.js';
import type { Values } from './shared/settings.js';
import { followThread, readOldCell, threadOwner } from './shared/thread.js';

/** The chapters in the order of version 0.1, whose addresses may name them by number. */
const numbered = [
  ...['proof', 'padding', 'makers', 'flow', 'steps', 'cell', 'cost', 'learning', 'stream'],
  ...['own', 'truth'],
];

const mounted = new Map<string, Mounted>();
const loading = new Map<string, Promise<void>>();
/** Settings from the address for chapters that are not mounted yet. */
let addressValues = new Map<string, Values>();
/** Settings from the address for mounted chapters that are not redrawn yet. */
let pendingValues = new Map<string, Values>();
let currentId = 'proof';

const query = new URLSearchParams(location.search);
/** The id of the only chapter of an embedded page, `?chapter=3&embed`. */
const embedded = query.has('embed') ? idOf(query.get('chapter') ?? '') : undefined;

/** Returns the id of a chapter by its name or number; that of the first one for any other text. */
function idOf(text: string): string {
  const id = numbered[Number(text || 'none')] ?? text;
  return order.some((each) => each.id === id) ? id : 'proof';
}

// ── the address

let changing = false;
let later: ReturnType<typeof setTimeout> | undefined;

/** Adds one entry to the history for all changes of a control until it is released. */
function remember(id: string, how: 'changing' | 'done', at = id): void {
  currentId = at;
  if (how === 'changing') {
    writeSoon(changing ? 'replace' : 'push');
    changing = true;
    if (id === 'padding') redrawLater(usesBatch);
    if (id === threadOwner) redrawUsers(usesThread);
  } else changing = false;
}

/** How the waiting change is written. */
let waiting: 'push' | 'replace' = 'replace';

/** Writes the address after the event of a change, because browsers take milliseconds for it. */
function writeSoon(how: 'push' | 'replace'): void {
  if (how === 'push') waiting = how;
  clearTimeout(later);
  later = setTimeout(() => write(waiting));
}

function write(how: 'push' | 'replace'): void {
  clearTimeout(later);
  waiting = 'replace';
  const values = new Map([
    ...addressValues,
    ...[...mounted].map(([id, each]) => [id, each.changed()] as const),
    ...pendingValues,
  ]);
  const address = writePlace({ chapter: currentId, values });
  if (address === location.hash) return;
  try {
    // Replaces the entry on an embedded page, which must not add entries to the outer page's
    // history.
    const push = how === 'push' && embedded === undefined;
    history[push ? 'pushState' : 'replaceState'](null, '', address);
  } catch {
    // Browsers limit how often the address may change; try again in a second.
    later = setTimeout(() => write('replace'), 1000);
  }
}

function readAddress(): Place {
  const place = readPlace(location.hash);
  readOldCell(place.values, idOf(place.chapter));
  return place;
}

let recalls = 0;

async function recall(): Promise<void> {
  clearTimeout(later);
  waiting = 'replace';
  changing = false;
  const turn = ++recalls;
  const { chapter, values } = readAddress();
  addressValues = values;
  const valuesOf = (each: Mounted) => values.get(each.id) ?? new Map<string, string>();
  // The batch comes first, then the thread: other chapters use them.
  const padding = mounted.get('padding');
  const batch = padding !== undefined && !same(padding.changed(), valuesOf(padding));
  if (batch) await padding.apply(valuesOf(padding));
  const owner = mounted.get(threadOwner);
  const thread = owner !== undefined && !same(owner.changed(), valuesOf(owner));
  if (thread && turn === recalls) await owner.apply(valuesOf(owner));
  const others = [...mounted.values()].filter(
    (each) =>
      each !== padding &&
      !(thread && each === owner) &&
      // An earlier recall may have ended before it redrew the chapter.
      (pendingValues.has(each.id) ||
        !same(each.changed(), valuesOf(each)) ||
        (batch && usesBatch.has(each.id)) ||
        (thread && usesThread.has(each.id))),
  );
  if (turn !== recalls) return;
  pendingValues = new Map(others.map((each) => [each.id, valuesOf(each)]));
  for (const { id } of others) find(`#${id}`).dataset['drawn'] = 'no';
  for (const each of others) {
    if (turn !== recalls) return;
    pendingValues.delete(each.id);
    void each.apply(valuesOf(each));
    // One task for each chapter: drawing all in one task would block the page.
    await new Promise((done) => setTimeout(done));
  }
  if (chapter && turn === recalls) await goTo(idOf(chapter));
}

const same = (a: Values, b: Values): boolean =>
  a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);

/**
 * Redraws chapters after the next frame, which shows the key that changed them, one task each. A
 * chapter that another key changes until then is drawn once.
 */
function redrawLater(users: ReadonlySet<string>): void {
  let after = nextFrame();
  for (const each of mounted.values()) {
    if (!users.has(each.id)) continue;
    void each.redraw(undefined, after);
    after = after.then(nextTask);
  }
}

const nextTask = () => new Promise<void>((done) => setTimeout(done));

/** Resolves after the next frame; soon in a hidden tab, which draws none. */
const nextFrame = () =>
  Promise.race([
    new Promise<void>((done) => requestAnimationFrame(() => done())).then(nextTask),
    new Promise<void>((done) => setTimeout(done, 100)),
  ]);

function redrawUsers(users: ReadonlySet<string>): void {
  for (const each of mounted.values()) if (users.has(each.id)) void each.redraw();
}

// ── chapters

const usesBatch = new Set<string>();
const usesThread = new Set<string>();

/** Says in a chapter's place that its script failed to load; the next request tries again. */
function showLoadError(id: string, error: unknown): void {
  loading.delete(id);
  const reason = error instanceof Error ? error.message : String(error);
  const place = find(`#${id} .picture`);
  const problem =
    place.querySelector('.lost-script') ?? place.appendChild(document.createElement('p'));
  problem.className = 'problem lost-script';
  problem.textContent = `This chapter could not be loaded (${reason}). Reload the page.`;
}

function ensureMounted(id: string): Promise<void> {
  const pending = loading.get(id);
  if (pending) return pending;
  const entry = chapters.find((each) => each.id === id);
  const loaded = entry
    ? mountChapter(entry).catch((error: unknown) => showLoadError(id, error))
    : Promise.resolve();
  loading.set(id, loaded);
  return loaded;
}

async function mountChapter({ id, load }: (typeof chapters)[number]): Promise<void> {
  const chapter = await load();
  if (chapter.usesBatch) usesBatch.add(id);
  if (chapter.usesThread) {
    await ensureMounted(threadOwner);
    usesThread.add(id);
  }
  const instance = mount(chapter, remember);
  mounted.set(id, instance);
  // The address wins over input that was typed before the chapter's script was loaded.
  const values = addressValues.get(id) ?? instance.changed();
  addressValues.delete(id);
  await withoutScrolling(() => instance.apply(values));
}

/** Keeps the current chapter in place while others are drawn, which some browsers do not do. */
async function withoutScrolling(draw: () => Promise<void>): Promise<void> {
  const place = () => find(`#${currentId}`).getBoundingClientRect().top;
  const before = place();
  const scrolled = scrollY;
  await draw();
  const moved = place() - before;
  if (moved !== 0 && scrollY === scrolled && scrolled > 0 && !isAiming())
    scrollBy({ top: moved, behavior: 'instant' });
}

async function goTo(id: string, behavior: ScrollBehavior = 'auto'): Promise<void> {
  currentId = id;
  layOutAll();
  const target = find(`#${id}`);
  // Chapters that moved to the docs are hidden until an address names them.
  target.hidden = false;
  aimAt(target, behavior);
  target.querySelector('h2')?.focus({ preventScroll: true });
  await ensureMounted(id);
}

/** Makes links to chapters keep the settings in the address. */
function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    currentId = idOf(link.hash.slice(1));
    changing = false;
    write('push');
    void goTo(currentId);
  });
  window.addEventListener('popstate', () => void recall());
}

/** Loads each chapter when it comes near the screen. */
function loadWhenNear(): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) void ensureMounted(target.id);
    },
    { rootMargin: '700px 0px' },
  );
  for (const { id } of order) near.observe(find(`#${id}`));
}

/** Loads all other chapters while the page is idle: the visitor may print or search the page. */
async function loadRemaining(): Promise<void> {
  for (const { id } of order) {
    if (find(`#${id}`).hidden) continue;
    await idle();
    await ensureMounted(id).catch(() => {});
  }
  layOutAll();
  document.documentElement.dataset['complete'] = '';
}

/** Lays out chapters that are neither drawn nor near the screen, too (styles/layout.css). */
function layOutAll(): void {
  delete document.documentElement.dataset['fresh'];
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
          // Scrolls the row of links, which is wider than the screen of a phone.
          find('.bar nav').scrollLeft = link.offsetLeft - find('.bar nav').offsetLeft - 16;
        }
      }
    },
    { rootMargin: '-45% 0px -54% 0px' },
  );
  for (const section of document.querySelectorAll('main > section')) seen.observe(section);
}

// ── the page

/** Shows the version and size of the package once it has started, or why it has not. */
async function showStatus(): Promise<void> {
  const status = find('[data-slot="status"]');
  try {
    const { version, wasmBytes, milliseconds } = await engine('recurrent').started;
    const kilobytes = Math.round(wasmBytes / 1000);
    say(
      status,
      `Computed here, in this page: maskflow ${version}, ${kilobytes} kB of WebAssembly, ready in ${Math.round(milliseconds)} ms.`,
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const lacking = error instanceof NoEngine && error.lacking;
    const place = find('[data-no-wasm]');
    if (!lacking)
      say(place, `The engine of the figures did not start: ${message} Reload the page.`);
    place.hidden = false;
    say(status, 'Nothing can be computed here.');
  }
}

function offerLink(): void {
  find('[data-link-button]').addEventListener('click', async () => {
    const copied = await copyText(location.href);
    const answer = copied
      ? 'Copied.'
      : 'Copying is not allowed here; the address of this page is the link.';
    say(find('[data-slot="copied"]'), answer);
  });
}

/** Redraws all chapters when the width of the window changes. */
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

/** Prevents a dropped file from replacing the page. */
function keepPage(): void {
  for (const type of ['dragover', 'drop'] as const) {
    document.addEventListener(type, (event) => event.preventDefault());
  }
}

async function begin(): Promise<void> {
  keepPage();
  redrawWhenResized();
  followPrinting({
    before() {
      for (const each of mounted.values()) each.print();
    },
    after() {
      for (const each of mounted.values()) void each.redraw();
    },
  });
  followLinks();
  followAim();
  linkHover();
  followThread();
  offerLink();
  void showStatus();
  const { chapter, values } = readAddress();
  addressValues = values;
  if (embedded) {
    currentId = embedded;
    embed(embedded, query, () => void mounted.get(embedded)?.redraw());
    await ensureMounted(embedded);
    return;
  }
  for (const id of ['padding', threadOwner]) if (values.has(id)) await ensureMounted(id);
  markCurrent();
  if (chapter) await goTo(idOf(chapter), 'instant');
  else await ensureMounted('proof');
  void import('./shared/words.js').then(
    ({ followWords }) => followWords(),
    () => {}, // The words stay without notes.
  );
  loadWhenNear();
  await loadRemaining();
  // The page works without the map, whose script does not arrive if the reader leaves now.
  const map = await import('./shared/birds_eye.js').catch(() => undefined);
  map?.birdsEye();
}

// The classic build of this script may run before the document is parsed.
if (document.readyState === 'loading')
  document.addEventListener('DOMContentLoaded', () => void begin());
else void begin();
