// @ts-check
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @typedef {'clients' | 'zodios'} PackageSet `zodios` holds the packages that need version 3 of zod */

/** The pinned version of each package, by set and name. @type {Record<PackageSet, Record<string, string>>} */
export const VERSIONS = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'));

/**
 * Returns the version of a package: `7.13.0` for both `npm:openapi-typescript@7.13.0` and `7.13.0`.
 * @param {PackageSet} set
 * @param {string} name
 */
export function findPinned(set, name) {
  const version = VERSIONS[set][name] ?? '';
  return version.slice(version.lastIndexOf('@') + 1);
}

/**
 * Installs both sets into a folder without running their scripts. Reuses a folder that has them already.
 * @param {string} folder
 * @returns {Promise<Record<PackageSet, string>>} a folder for each set
 */
export async function installPackages(folder) {
  const folders = { clients: join(folder, 'clients'), zodios: join(folder, 'zodios') };
  for (const set of /** @type {PackageSet[]} */ (['clients', 'zodios'])) {
    mkdirSync(folders[set], { recursive: true });
    writeFileSync(
      join(folders[set], 'package.json'),
      JSON.stringify({ name: `generators-${set}`, private: true, dependencies: VERSIONS[set] }),
    );
    await run('npx', ['-y', 'pnpm@12', 'install', '--ignore-workspace', '--ignore-scripts'], {
      cwd: folders[set],
      timeout: 600_000,
      maxBuffer: 16 * 1024 * 1024,
    });
  }
  return folders;
}
