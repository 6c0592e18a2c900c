// @ts-check
/**
 * Loaded before a program (`NODE_OPTIONS=--import`): takes walls out of it while it is loaded, and down as a file says.
 *   BREACH_FILE   JSON: the names of walls that are down
 */
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { listChanges } from './walls.mjs';

const file = process.env['BREACH_FILE'];

if (file !== undefined) {
  if (process.env['ROWHOUSE_ENV'] !== 'test') throw new Error('walls fall in tests alone: ROWHOUSE_ENV has to be test');
  let text = '';
  let turn = 0;
  /** @type {Set<string>} */
  let names = new Set();
  /** @type {WeakMap<object, number>} */
  const seen = new WeakMap();
  const read = () => {
    const found = readFileSync(file, 'utf8');
    if (found === text) return;
    text = found;
    names = new Set(JSON.parse(found));
    turn += 1;
  };
  read();
  // Each question reads anew: a wall is up again before the next request.
  /** @type {any} */ (globalThis).rowhouseBreach = {
    isDown(/** @type {string} */ name) {
      read();
      return names.has(name);
    },
    hasTurned(/** @type {object} */ owner) {
      read();
      const before = seen.get(owner);
      seen.set(owner, turn);
      return before !== undefined && before !== turn;
    },
  };
  register('./breach-hooks.mjs', import.meta.url, { data: listChanges() });
}
