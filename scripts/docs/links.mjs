// SPDX-License-Identifier: MIT
// Checks that all links of the built site lead to a file and a place in it. Links to other hosts
// are checked only for their form.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesIn } from '../lib/files.mjs';

const entities = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" };
const decoded = (text) => text.replace(/&(amp|quot|lt|gt|#39);/g, (_, name) => entities[name]);

/** True for pages whose chapters and states are valid places; the page itself interprets them. */
const ofThePage = (file) => /^(index|playground\/index)\.html$/.test(file);

function attributes(html, pattern) {
  return [...html.matchAll(pattern)].map(([, value]) => decoded(value));
}

/** Returns the file of the folder that a path leads to. */
function fileOf(folder, path) {
  const file = join(folder, decodeURIComponent(path));
  if (!existsSync(file)) return undefined;
  const found = statSync(file).isDirectory() ? join(file, 'index.html') : file;
  return existsSync(found) ? relative(folder, found) : undefined;
}

const top = 'http://site.invalid/';

/** Returns the complaint about a link, which is relative to `base`; undefined for a valid link. */
function complaintOf(link, base, { folder, placesOf }) {
  let url;
  try {
    url = new URL(link, base);
  } catch {
    return 'not an address';
  }
  if (!url.href.startsWith(top)) return undefined;
  const file = fileOf(folder, url.pathname.slice(1));
  if (!file) return 'no such file';
  const place = decodeURIComponent(url.hash.slice(1));
  if (!place || ofThePage(file) || !file.endsWith('.html')) return undefined;
  return placesOf(file).has(place) ? undefined : 'no such place in the page';
}

/** Returns a sentence for each broken link on the pages of `folder`. */
export function checkLinks(folder) {
  const known = new Map();
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const placesOf = (file) => {
    if (!known.has(file)) known.set(file, new Set(attributes(read(file), /\sid="([^"]*)"/g)));
    return known.get(file);
  };
  const complaints = new Set();
  for (const path of filesIn(folder, /\.html$/)) {
    const page = relative(folder, path);
    const html = read(page);
    const [from = ''] = attributes(html, /<base href="([^"]*)"/g);
    const base = new URL(from, `${top}${page}`);
    for (const link of new Set(attributes(html, /\s(?:href|src)="([^"]*)"/g))) {
      const complaint = link !== from && complaintOf(link, base, { folder, placesOf });
      if (complaint) complaints.add(`${page}: ${link}: ${complaint}`);
    }
  }
  return [...complaints];
}
