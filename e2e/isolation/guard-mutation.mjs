// @ts-check
/**
 * Rewrites modules of a program so that their guards can be turned off. It is loaded before the program
 * (`NODE_OPTIONS=--import`).
 *
 * The environment variable `GUARD_MUTATION_FILE` is the path of a JSON file with the names of the guards to
 * turn off.
 */
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { listChanges } from './guards.mjs';

const file = process.env['GUARD_MUTATION_FILE'];

if (file !== undefined) {
  if (process.env['ROWHOUSE_ENV'] !== 'test')
    throw new Error('guards can only be removed in tests: set ROWHOUSE_ENV to test');
  let text = '';
  let iteration = 0;
  /** @type {Set<string>} */
  let names = new Set();
  /** @type {WeakMap<object, number>} */
  const seen = new WeakMap();
  const read = () => {
    const found = readFileSync(file, 'utf8');
    if (found === text) return;
    text = found;
    names = new Set(JSON.parse(found));
    iteration += 1;
  };
  read();
  // Each check reads the file again, so a guard that is turned on protects the very next request.
  /** @type {any} */ (globalThis).rowhouseGuards = {
    isDown(/** @type {string} */ name) {
      read();
      return names.has(name);
    },
    hasTurned(/** @type {object} */ owner) {
      read();
      const before = seen.get(owner);
      seen.set(owner, iteration);
      return before !== undefined && before !== iteration;
    },
  };
  register('./guard-mutation-hooks.mjs', import.meta.url, { data: listChanges() });
}
