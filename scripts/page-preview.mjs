// SPDX-License-Identifier: MIT
// Draws page/preview.png, the picture that other sites show beside a link to the page. The picture is in
// git, because not every machine that builds the page has a browser.
import { buildPage } from './build-page.mjs';
import { launch } from './lib/chromium.mjs';
import { at } from './lib/files.mjs';
import { main } from './lib/process.mjs';
import { serve } from './lib/serve.mjs';
import { findBrowser } from './setup/browser.mjs';

const style = `body > :not(main), #proof .row, #proof .more, #proof .place-edge, #proof .ending, #proof .question p, .chapter:not(#proof), #proof .says { display: none !important }
  body { overflow: hidden } .wrap { inline-size: 1080px } #proof { padding-block: 40px 0; min-block-size: 0 } .stage { display: block }
  .picture { zoom: 1.35 } .picture figure { zoom: 0.7 } h2 { font-size: 60px } h2 .number { display: none }
  h2::after { content: 'maskflow: padding and masking, made visible'; display: block; margin-block: 10px 14px; font-size: 30px; font-weight: 400; color: var(--soft) }`;

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
  await page.screenshot({ path: at('page', 'preview.png') });
  await browser.close();
  await server.close();
});
