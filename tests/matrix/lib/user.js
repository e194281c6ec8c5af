// SPDX-License-Identifier: MIT
// Actions of a user on a page of docs/recipes.md, which has an input for brackets and shows the
// probability that they are closed.
import { answers as numbers } from '../programs/brackets.js';

const [closed, crossed] = numbers;

/** Waits until all places show a number. */
async function shows(tab, wanted, { output = 'output', timeout = 30_000 } = {}) {
  const same = (selector, number) => {
    const shown = [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
    return shown.length > 0 && shown.every((text) => text && Math.abs(text - number) < 1e-6);
  };
  try {
    await tab.waitForFunction(same, { timeout }, output, wanted);
  } catch {
    const read = (selector) =>
      [...document.querySelectorAll(selector)]
        .map((one) => one.value ?? one.textContent)
        .join(' and ');
    const shown = await tab.evaluate(read, output);
    return `shows ${shown} for ${await tab.evaluate(read, 'input')}, not ${wanted}`;
  }
  return 'ok';
}

async function type(tab, text) {
  for (const input of await tab.$$('input')) {
    // Not by a click: an error above the input that comes or goes moves it meanwhile.
    await input.evaluate((element) => element.select());
    // Without a pause: each key is an input while the one before is computed.
    await input.type(text);
  }
}

/**
 * Waits until the given number of models is alive. `alive` counts them in the page; by default, it
 * counts those of workers.
 */
async function live(tab, wanted, alive) {
  const count = async () => (alive ? tab.evaluate(alive) : tab.workers().length);
  const end = Date.now() + 10_000;
  while ((await count()) !== wanted && Date.now() < end) {
    await new Promise((done) => setTimeout(done, 50));
  }
  const found = await count();
  return found === wanted ? 'ok' : `${found} alive, not ${wanted}`;
}

/** A page whose model stays: the number at its start, others while somebody types, and all of it again after a reload. */
export async function useTyping(tab, options) {
  const first = await shows(tab, closed, options);
  await type(tab, '([)]');
  const typed = await shows(tab, crossed, options);
  await type(tab, '([{}])');
  const back = await shows(tab, closed, options);
  return { answers: { first, typed, back } };
}

export async function useWithReload(tab, options) {
  // A development server that finds packages at the first load reloads the page by itself.
  const first = await shows(tab, closed, options);
  await tab.reload();
  const { answers } = await useTyping(tab, options);
  return { answers: { ...answers, 'before the reload': first } };
}

/** Presses the button, again one or two frames later. */
const press = (tab, times = 1) =>
  tab.evaluate(async (count) => {
    for (let i = 0; i < count; i++) {
      document.querySelector('button').click();
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
  }, times);

/** Lets the worker break down, and types on. */
async function typeAfterCrash(tab, options) {
  const [worker] = tab.workers();
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('broken on purpose');
    });
  });
  // A key whose request breaks down with it shows the error until the next one.
  const ended = await live(tab, 0);
  if (ended !== 'ok') return ended;
  await type(tab, '([{}])');
  return shows(tab, closed, options);
}

/**
 * A page whose button hides and shows what uses the model. `most`: models (by `alive`) that live meanwhile. `edit`: changes the
 * source while the development server runs, and gives the selector of what the change brings.
 */
export async function useMounted(tab, { most = 1, alive, edit, ...options } = {}) {
  const { answers } = await useWithReload(tab, options);
  answers.shared = await live(tab, most, alive);
  for (let i = 1; edit && i <= 3; i++) {
    // Two changes within a moment are one to a server that watches files.
    await new Promise((done) => setTimeout(done, 1000));
    await tab.waitForSelector(edit(i), { timeout: 20_000 });
    answers[`edit ${i}`] = await shows(tab, closed, options);
    answers[`alive after edit ${i}`] = await live(tab, most, alive);
  }
  if (!alive) answers['after a crash'] = await typeAfterCrash(tab, options);
  await press(tab);
  answers.unmounted = await live(tab, 0, alive);
  await press(tab, 2);
  answers['unmounted while it loads'] = await live(tab, 0, alive);
  await press(tab);
  answers.again = await shows(tab, closed, options);
  answers['shared again'] = await live(tab, most, alive);
  return { answers };
}
