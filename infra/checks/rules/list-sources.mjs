import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const OMITTED = new Set(['node_modules', 'dist', '.rowhouse', '.git', 'coverage']);

/**
 * @param {string} root
 * @param {readonly string[]} folders
 * @param {RegExp} pattern
 * @returns {string[]} sorted paths from the root, with forward slashes
 */
export function listSources(root, folders, pattern) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (OMITTED.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (pattern.test(entry.name)) found.push(relative(root, path).split(sep).join('/'));
    }
  };
  for (const folder of folders) visit(join(root, folder));
  return found.sort();
}
