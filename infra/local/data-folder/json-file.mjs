import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * @template T
 * @param {string} path
 * @returns {T | null} null when there is no such file; throws for a damaged file
 */
export function readJsonFile(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (err) {
    if (/** @type {NodeJS.ErrnoException} */ (err).code === 'ENOENT') return null;
    throw err;
  }
  return JSON.parse(text);
}

/**
 * Replaces the file in one step, readable by its owner only. The file is synced to disk before this returns,
 * because data encrypted with its secrets is written afterwards.
 * @param {string} path
 * @param {unknown} value
 */
export function writeJsonFile(path, value) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporaryPath = `${path}.${process.pid}.new`;
  writeFileSync(temporaryPath, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporaryPath, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
