// SPDX-License-Identifier: MIT
// The licences of the npm packages that the page and the docs contain. The lists of packages come
// from the bundlers, so a package that somebody adds is in the file, or the build fails.
import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';

/** Licences that ask for no more than their text. Fonts have the last one. */
const permissive = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'OFL-1.1'];

/** Texts of packages without one, with the notice that the package's files begin with. */
const added = { '@docsearch/css': at('scripts', 'build', 'licenses', 'docsearch.txt') };

const inPackage = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/**
 * Returns the folders of the packages that contain these modules, sorted. Modules of the project
 * itself, and those that a bundler writes, are in none.
 */
export function packageFolders(modules) {
  const folders = modules.map((path) => inPackage.exec(path.replace(/[?\0].*$/, ''))?.[0]);
  return [...new Set(folders.filter(Boolean))].sort();
}

/** Returns name, licence, home page and licence text of the package in a folder. */
export function licenseOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, license } = manifest;
  if (!permissive.includes(license))
    throw new Failure(
      `${name} has the licence ${license}, which is not one of ${permissive.join(', ')}: replace the package`,
    );
  const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/i.test(each));
  const path = file === undefined ? added[name] : join(folder, file);
  const text = path === undefined ? '' : readFileSync(path, 'utf8').trim();
  if (text === '')
    throw new Failure(`${name} has no licence text in ${folder.replace(at() + sep, '')}`);
  const home = manifest.homepage ?? manifest.repository?.url ?? manifest.repository;
  return { name, license, home, text };
}

const line = '='.repeat(78);

/** Returns the text of one licence, below its heading. */
export const licenseText = ({ name, license, home, text }) =>
  `${line}\n${name}\n${license}${home ? `, ${home}` : ''}\n${line}\n\n${text}\n`;

/** Returns the text for the packages that contain these modules. `title` says where they are. */
export const bundledLicenses = (title, modules) =>
  `${title}\n\n${packageFolders(modules).map(licenseOf).map(licenseText).join('\n')}`;
