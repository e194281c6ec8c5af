// SPDX-License-Identifier: MIT
// Actions of a user on a page of docs/recipes.md, which has an input for brackets and shows the
// probability that they are closed.
import { answers as numbers } from '../programs/brackets.js';

const [closed, crossed] = numbers;

/** Waits until all outputs show a number. Returns 'ok', or describes what they show. */
async function shows(tab, wanted, { output = 'output' } = {}) {
  const same = (selector, number) => {
    const shown = [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
    return shown.length > 0 && shown.every((text) => text && Math.abs(text - number) < 1e-6);
  };
  try {
    await tab.waitForFunction(same, {}, output, wanted);
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
    // Selects the text without a click, because an error that appears above the input moves it.
    await input.evaluate((element) => element.select());
    // Types without pauses, so that each key is an input while the previous one is computed.
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

/**
 * Uses a page that keeps its model: compares the number at the start, after typing, and after a
 * reload.
 */
export async function useTyping(tab, options) {
  const first = await shows(tab, closed, options);
  await type(tab, '([)]');
  const typed = await shows(tab, crossed, options);
  await type(tab, '([{}])');
  const back = await shows(tab, closed, options);
  return { answers: { first, typed, back } };
}

export async function useWithReload(tab, options) {
  // A development server that discovers packages at the first load reloads the page by itself.
  const first = await shows(tab, closed, options);
  await tab.reload();
  const { answers } = await useTyping(tab, options);
  return { answers: { ...answers, 'before the reload': first } };
}

/** Presses the button `times` times, one or two frames apart. */
const press = (tab, times = 1) =>
  tab.evaluate(async (count) => {
    for (let i = 0; i < count; i++) {
      document.querySelector('button').click();
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
  }, times);

/** Makes the worker fail, then continues typing. */
async function typeAfterCrash(tab, options) {
  const [worker] = tab.workers();
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('broken on purpose');
    });
  });
  // The key whose request fails shows the error until the next key is typed.
  const ended = await live(tab, 0);
  if (ended !== 'ok') return ended;
  await type(tab, '([{}])');
  return shows(tab, closed, options);
}

/**
 * Uses a page whose button hides and shows the components with the model. `max` is the expected
 * number of models (counted by `alive`) while they are shown. `edit` changes the source while the
 * development server runs, and returns the selector of a new element.
 */
export async function useMounted(tab, { max = 1, alive, edit, ...options } = {}) {
  const { answers } = await useWithReload(tab, options);
  answers.shared = await live(tab, max, alive);
  for (let i = 1; edit && i <= 3; i++) {
    // Waits, because a server that watches files treats two changes within a moment as one.
    await new Promise((done) => setTimeout(done, 1000));
    await tab.waitForSelector(edit(i));
    answers[`edit ${i}`] = await shows(tab, closed, options);
    answers[`alive after edit ${i}`] = await live(tab, max, alive);
  }
  if (!alive) answers['after a crash'] = await typeAfterCrash(tab, options);
  await press(tab);
  answers.unmounted = await live(tab, 0, alive);
  await press(tab, 2);
  answers['unmounted while it loads'] = await live(tab, 0, alive);
  await press(tab);
  answers.again = await shows(tab, closed, options);
  answers['shared again'] = await live(tab, max, alive);
  return { answers };
}
