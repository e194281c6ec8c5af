// SPDX-License-Identifier: MIT
// The panel of trained models waits for files; its tests wait with it.
import { set, settled } from './demo-page.js';

const section = '#models';

/** Until the chosen model has answered, or its file is refused. */
export async function answered(page) {
  await page.waitForFunction(
    (section) => {
      const panel = document.querySelector(section);
      const shown = panel.querySelector('[data-slot="answers"]').hasChildNodes();
      return shown || !panel.querySelector('.problem').hidden;
    },
    { timeout: 20_000 },
    section,
  );
  await settled(page);
}

/** Comes to the panel and chooses a model. */
export async function showModel(page, name) {
  await page.$eval(section, (panel) => panel.scrollIntoView());
  await set(page, 'models', { model: name });
  await answered(page);
}

/** Chooses files as a user does; the panel then shows them, or says what is wrong with them. */
export async function openFiles(page, ...paths) {
  await set(page, 'models', { model: 'own' });
  const picker = await page.$('#models-file');
  await picker.uploadFile(...paths);
  // One task for the browser to tell the page, one for the page to draw.
  await settled(page);
  await settled(page);
  await answered(page);
}

/** Text in closed boxes is not to be read. */
export async function openBoxes(page) {
  await page.$$eval(`${section} .picture details`, (boxes) => {
    for (const box of boxes) box.open = true;
  });
  await settled(page);
}
