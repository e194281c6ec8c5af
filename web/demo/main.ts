// SPDX-License-Identifier: MIT
import { memory, runtimeInfo } from 'maskflow';
import { custom } from './panels/custom.js';
import { follow } from './panels/follow.js';
import { makers } from './panels/makers.js';
import { models } from './panels/models.js';
import { padding } from './panels/padding.js';
import { split } from './panels/split.js';
import { states } from './panels/states.js';
import { copyText } from './shared/code.js';
import { find, say } from './shared/dom.js';
import { readPlace, writePlace } from './shared/hash.js';
import { type MountedPanel, type Panel, mount } from './shared/panel.js';
import { reset } from './shared/program.js';
import { count } from './shared/text.js';

const panels: Panel[] = [padding, makers, follow, split, custom, states, models];
const mounted: MountedPanel[] = [];

function remember(panel: string): void {
  const values = new Map(mounted.map((each) => [each.id, each.changed()]));
  history.replaceState(null, '', writePlace({ panel, values }));
  showMemory();
}

async function recall(): Promise<void> {
  const { panel, values } = readPlace(location.hash);
  await Promise.all(mounted.map((each) => each.apply(values.get(each.id) ?? new Map())));
  if (panel) goTo(panel);
}

function goTo(id: string): void {
  const target = document.getElementById(id);
  target?.scrollIntoView();
  target?.querySelector('h2')?.focus({ preventScroll: true });
}

/** Links to panels keep the settings that stand behind them in the address. */
function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    const id = link.hash.slice(1);
    remember(id);
    goTo(id);
  });
  window.addEventListener('hashchange', () => void recall());
}

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

function showMemory(): void {
  const { tensors, heapBytes } = memory();
  const heap = (heapBytes / 2 ** 20).toFixed(0);
  find('[data-slot="memory"]').textContent =
    `Memory now: ${count(tensors, 'live tensor')}, a heap of ${heap} MiB.`;
}

async function start(): Promise<void> {
  const status = find('[data-slot="status"]');
  const before = performance.now();
  try {
    await reset();
  } catch (error) {
    say(
      status,
      `The WebAssembly core did not start: ${error instanceof Error ? error.message : error}`,
    );
    return;
  }
  const { variant, wasmBytes, version } = runtimeInfo();
  const time = Math.round(performance.now() - before);
  say(
    status,
    `maskflow ${version}, variant ${variant}: ${Math.round(wasmBytes / 1000)} kB of WebAssembly, ready in ${time} ms`,
  );
  for (const panel of panels) mounted.push(mount(panel, remember));
  await recall();
  showMemory();
}

function offerLink(): void {
  find('[data-link-button]').addEventListener('click', async () => {
    const copied = await copyText(location.href);
    const answer = copied ? 'Copied.' : 'Not allowed here; the address of this page is the link.';
    say(find('[data-slot="copied"]'), answer);
  });
}

function begin(): void {
  followLinks();
  markCurrent();
  offerLink();
  void start();
}

// The classic build of this script may run before the page has been read to its end.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
else begin();
