// SPDX-License-Identifier: MIT
/** The version and, if package.json names a repository, addresses at its host. */
export interface ProjectFacts {
  version: string;
  repository?: string;
  source?: string;
  edit?(path: string): string;
}
export function repositoryAddress(manifest: { repository?: unknown }): string | undefined;
export function projectFacts(manifest?: object): ProjectFacts;
