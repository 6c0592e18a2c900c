// @ts-check
import { openRandom } from '@rowhouse/schema-model/testing';
import { obfuscate } from './obfuscate.mjs';
import { LIMIT_CLASSES } from './limit-classes.mjs';
import { READ_CLASSES } from './read-classes.mjs';
import { WRITE_CLASSES } from './write-classes.mjs';

/**
 * @typedef {object} ClassInput the source of random parts for a class
 * @property {import('@rowhouse/schema-model/testing').Random} r
 * @property {'mariadb' | 'mysql'} engine
 * @property {() => string} own returns a table of the schema
 * @property {() => number} n returns a number that no other call returns
 * @property {() => string} t returns a quoted text
 * @typedef {object} StatementClass
 * @property {string} name
 * @property {boolean} [isBomb] runs until it is stopped; there are few of these, because each takes its whole
 *   time limit
 * @property {(inputs: ClassInput) => string} make returns SQL with `{own}`, `{victim}` and `{files}` for the
 *   schemas and the server's folder of files
 * @typedef {{ index: number, className: string, isBomb: boolean, sql: string }} Hostile
 */

export const CLASSES = [...WRITE_CLASSES, ...READ_CLASSES, ...LIMIT_CLASSES];
const BOMBS_PER_CLASS_MAX = 20;

/**
 * Creates `count` different hostile statements, one class after the other. The same seed creates the same
 * statements.
 * @param {{ seed: number, count: number, engine: 'mariadb' | 'mysql', bombs?: number }} options `bombs`
 *   limits the statements of each class that runs until it is stopped
 * @returns {Hostile[]}
 */
export function makeStatements({ seed, count, engine, bombs = BOMBS_PER_CLASS_MAX }) {
  const known = new Set();
  /** @type {Hostile[]} */
  const created = [];
  /** @type {Map<string, number>} */
  const bombsByClass = new Map();
  for (let draw = 0; created.length < count; draw += 1) {
    const entry = /** @type {StatementClass} */ (CLASSES[draw % CLASSES.length]);
    const isBomb = entry.isBomb === true;
    if (isBomb && (bombsByClass.get(entry.name) ?? 0) >= bombs) continue;
    const random = openRandom(seed, draw);
    const sql = obfuscate(random, entry.make(toClassInput(random, engine, draw)));
    if (known.has(sql)) continue;
    known.add(sql);
    bombsByClass.set(entry.name, (bombsByClass.get(entry.name) ?? 0) + 1);
    created.push({ index: created.length, className: entry.name, isBomb, sql });
  }
  return created;
}

/**
 * @param {import('@rowhouse/schema-model/testing').Random} r
 * @param {'mariadb' | 'mysql'} engine
 * @param {number} draw
 * @returns {ClassInput}
 */
function toClassInput(r, engine, draw) {
  const n = () => 100 + draw * 10 + r.integer(10);
  return { r, engine, n, own: () => r.pick(['users', 'posts', 'tags']), t: () => `'t${n()}'` };
}

/** @param {string} sql @param {{ own: string, victim: string, files: string, low: string }} names */
export function fillNames(sql, names) {
  return sql
    .replaceAll('{own}', names.own)
    .replaceAll('{victim}', names.victim)
    .replaceAll('{files}', names.files)
    .replaceAll('{low}', names.low);
}
