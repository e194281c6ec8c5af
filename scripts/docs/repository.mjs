// SPDX-License-Identifier: MIT
// Addresses of the project's files at its host, from `repository` of package.json. Without that
// field, pages have no links to sources.
import { readFileSync } from 'node:fs';
import { at } from '../lib/files.mjs';

const shorthands = { github: 'github.com', gitlab: 'gitlab.com', bitbucket: 'bitbucket.org' };

/** Returns the address of the repository's page; undefined if package.json names none. */
export function repositoryAddress({ repository }) {
  const stated = typeof repository === 'string' ? repository : repository?.url;
  if (!stated) return undefined;
  const [, host, path] = /^(?:(\w+):)?([\w.-]+\/[\w.-]+)$/.exec(stated) ?? [];
  if (path) return `https://${shorthands[host ?? 'github'] ?? 'github.com'}/${path}`;
  const address = stated
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/');
  return address
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '')
    .replace(/\/$/, '');
}

/** Returns the manifest's version and, if it names a repository, templates of addresses. */
export function projectFacts(manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'))) {
  const top = repositoryAddress(manifest);
  const { version } = manifest;
  if (!top) return { version };
  return {
    version,
    repository: top,
    source: `${top}/blob/HEAD/{path}#L{line}`,
    edit: (path) => `${top}/edit/HEAD/${path}`,
  };
}
