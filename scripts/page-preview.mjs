// SPDX-License-Identifier: MIT
// Draws page/preview.png, the picture that other sites show beside a link to the page. The picture
// is in git, because not every machine that builds the page has a browser.
import { buildPage } from './build-page.mjs';
import { launch } from './lib/chromium.mjs';
import { at } from './lib/files.mjs';
import { Failure, main } from './lib/process.mjs';
import { serve } from './lib/serve.mjs';
import { findBrowser } from './setup/browser.mjs';

const style = `body > :not(main), .chapter:not(#proof), #proof :is(.more, .ending, .question p, h2 .number) { display: none !important }
  body { overflow: hidden } .wrap { inline-size: 1080px } #proof { padding-block: 32px 0; min-block-size: 0 }
  #proof .says { margin-block-start: 14px; font-size: 25px } h2 { font-size: 60px }
  h2::after { content: 'maskflow: padding and masking, made visible'; display: block; margin-block: 12px 10px; font-size: 30px; font-weight: 400; letter-spacing: 0; color: var(--soft) }`;

await main(async () => {
  const found = {};
  await findBrowser(found);
  await buildPage();
  const server = await serve(at('dist', 'page'));
  const browser = await launch(found.browser);
  const page = await browser.newPage();
  await page.setViewport({ width: 1200, height: 630 });
  await page.goto(`${server.url}#v1/proof?proof.pads=3`);
  await page.waitForSelector('html[data-complete]');
  await page.addStyleTag({ content: style });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await new Promise((done) => setTimeout(done, 500));
  const overflows = await page.evaluate(() => document.body.scrollHeight > innerHeight);
  if (overflows) throw new Failure('The picture is cut off at the bottom; make its parts smaller.');
  await page.screenshot({ path: at('page', 'preview.png') });
  await browser.close();
  await server.close();
});
