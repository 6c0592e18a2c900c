// @ts-check
/**
 * Defines one kind of schema change: the tables before it, its SQL, the SQL that undoes it, and the records
 * before and after. All cases share the same surrounding tables, so that one load works for every case.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootDir } from '@rowhouse/local/paths';

/** In an expected record, matches any value. */
export const ANY = Symbol('any');

/**
 * The initial number of rows in `items`. A table of this size is rebuilt online, and not copied in one
 * statement.
 */
const SEEDED_ITEMS = 6_000;
export const SEEDED_OWNERS = 50;
/** The number of first items that have one note and one pin each. */
export const SEEDED_BELOW = 300;

/**
 * The schema as an API client sees it before or after the change.
 * @typedef {object} Shape
 * @property {string} [table] the name of `items`
 * @property {(i: number) => Record<string, unknown>} [seeded] members of the i-th seeded item that differ
 *   from the usual ones; undefined means that it is absent
 * @property {Record<string, unknown>} [created] the same for an item created by a client
 * @property {Record<string, unknown>} [sends] additional members that a client of this schema sends;
 *   undefined means that it omits the member
 * @typedef {object} GoldenInput
 * @property {string} what a description
 * @property {string} [columns] additional columns of `items`
 * @property {string} [owned] the foreign key definition of `items.owner_id`
 * @property {string} [noted] the same for `notes.item_id`
 * @property {string} [pinned] the same for `pins.item_id`
 * @property {true} [isAlone] no other table refers to `items`
 * @property {string} [options] table options of `items`
 * @property {string} [more] statements after those of the tables: triggers, views
 * @property {Record<string, string>} [seed] values of `columns`, as SQL expressions with `i`
 * @property {string} [moreSeed] statements after those that fill the tables
 * @property {number} [items] rows to begin with
 * @property {string | Record<Engine, string>} change
 * @property {string | Record<Engine, string>} undo
 * @property {Shape} [before]
 * @property {Shape} [after]
 * @property {string[]} [refusals] error codes that a client of the old schema may get under the new one, or
 *   the reverse
 * @property {Record<Engine, string>} strategies those of the plan on each engine, in order, separated by
 *   commas
 * @property {string[]} [holds] selects that return no rows, before and after
 * @property {Engine} [only] the change is only possible on this engine
 * @typedef {'mariadb' | 'mysql'} Engine
 * @typedef {Required<Pick<Shape, 'table' | 'seeded' | 'created' | 'sends'>>} FullShape
 * @typedef {object} GoldenChange
 * @property {string} name
 * @property {string} what
 * @property {string} tables
 * @property {(items: number) => string[]} listSeeds statements that fill the tables
 * @property {number} items rows to begin with
 * @property {'go' | 'stay' | 'alone'} pins what happens to a pin whose item is deleted; `alone` means that
 *   notes and pins do not refer to items
 * @property {Record<Engine, string>} change
 * @property {Record<Engine, string>} undo
 * @property {{ before: FullShape, after: FullShape }} shapes
 * @property {readonly string[]} refusals
 * @property {Record<Engine, string>} strategies
 * @property {readonly string[]} holds
 * @property {Engine | null} only
 */

/**
 * Selects that find rows whose foreign key refers to a missing row. They must return nothing after keys were
 * changed.
 */
const NO_ORPHANS = [
  'SELECT 1 FROM {items} c LEFT JOIN owners p ON p.id = c.owner_id WHERE p.id IS NULL LIMIT 1',
  'SELECT 1 FROM notes c LEFT JOIN {items} p ON p.id = c.item_id WHERE p.id IS NULL LIMIT 1',
  'SELECT 1 FROM pins c LEFT JOIN {items} p ON p.id = c.item_id WHERE c.item_id IS NOT NULL AND p.id IS NULL LIMIT 1',
];

/** @param {GoldenInput} input @returns {Omit<GoldenChange, 'name'>} */
export function defineChange(input) {
  const items = input.items ?? SEEDED_ITEMS;
  return {
    what: input.what,
    items,
    tables: tablesOf(input),
    listSeeds: (count) => seedsOf(input, count),
    pins: input.isAlone === true ? 'alone' : /CASCADE/.test(input.pinned ?? '') ? 'go' : 'stay',
    change: forBoth(input.change),
    undo: forBoth(input.undo),
    shapes: { before: fill(input.before), after: fill(input.after) },
    refusals: input.refusals ?? [],
    strategies: input.strategies,
    holds: [...(input.isAlone === true ? NO_ORPHANS.slice(0, 1) : NO_ORPHANS), ...(input.holds ?? [])],
    only: input.only ?? null,
  };
}

/** @param {string | Record<Engine, string>} text @returns {Record<Engine, string>} */
function forBoth(text) {
  return typeof text === 'string' ? { mariadb: text, mysql: text } : text;
}

/** @param {Shape | undefined} shape @returns {FullShape} */
function fill(shape) {
  return {
    table: shape?.table ?? 'items',
    seeded: shape?.seeded ?? (() => ({})),
    created: shape?.created ?? {},
    sends: shape?.sends ?? {},
  };
}

/** @param {GoldenInput} input */
function tablesOf(input) {
  const more = input.columns === undefined ? '' : `, ${input.columns}`;
  const child = (/** @type {string} */ name, /** @type {string} */ definition) =>
    input.isAlone === true
      ? ''
      : `, CONSTRAINT ${name}_item FOREIGN KEY (item_id) REFERENCES items (id) ${definition}`;
  return `
CREATE TABLE owners (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL);
CREATE TABLE items (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(70) NOT NULL, owner_id INT NOT NULL, title VARCHAR(50) NOT NULL, hits INT NOT NULL DEFAULT 0${more},
  UNIQUE KEY items_mark (mark), KEY items_owner (owner_id), CONSTRAINT items_owner FOREIGN KEY (owner_id) REFERENCES owners (id) ${input.owned ?? 'ON DELETE CASCADE'})${input.options ?? ''};
CREATE TABLE notes (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(70) NOT NULL, item_id INT NOT NULL, UNIQUE KEY notes_mark (mark), KEY notes_item (item_id)${child('notes', input.noted ?? 'ON DELETE CASCADE')});
CREATE TABLE pins (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(70) NOT NULL, item_id INT NULL, UNIQUE KEY pins_mark (mark), KEY pins_item (item_id)${child('pins', input.pinned ?? 'ON DELETE SET NULL')});
${input.more ?? ''}`;
}

/** @param {GoldenInput} input @param {number} items @returns {string[]} */
function seedsOf(input, items) {
  const numbers = (/** @type {number} */ count) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000), m (i) AS (SELECT a.i + 1000 * (b.i - 1) FROM n a JOIN n b ON b.i <= ${Math.ceil(count / 1000)})`;
  const extra = Object.entries(input.seed ?? {});
  const names = extra.map(([name]) => `, ${name}`).join('');
  const values = extra.map(([, sql]) => `, ${sql}`).join('');
  const insert = (/** @type {string} */ into, /** @type {string} */ select, /** @type {number} */ count) =>
    `INSERT INTO ${into} ${numbers(count)} SELECT ${select} FROM m WHERE i <= ${count} ORDER BY i`;
  return [
    insert('owners (id, name)', `i, CONCAT('o', i)`, SEEDED_OWNERS),
    insert(
      `items (id, mark, owner_id, title${names})`,
      `i, CONCAT('s', i), 1 + i % ${SEEDED_OWNERS}, CONCAT('t', i)${values}`,
      items,
    ),
    insert('notes (mark, item_id)', `CONCAT('s', i), i`, SEEDED_BELOW),
    insert('pins (mark, item_id)', `CONCAT('s', i), i`, SEEDED_BELOW),
    ...(input.moreSeed === undefined ? [] : [input.moreSeed]),
  ];
}

/** @returns {Promise<GoldenChange[]>} all of them, sorted by name */
export async function readGoldenChanges() {
  const folder = join(rootDir, 'e2e', 'golden-changes');
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  return modules
    .flatMap((module) => Object.entries(module))
    .map(([name, change]) => ({ name: toKebabCase(name), ...change }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * @param {string} name such as `rename-column` for the export `renameColumn`
 * @returns {Promise<GoldenChange>}
 */
export async function readGoldenChange(name) {
  const change = (await readGoldenChanges()).find((item) => item.name === name);
  if (change === undefined) throw new Error(`Unknown golden change ${name}`);
  return change;
}

/** @param {string} name in camelCase */
function toKebabCase(name) {
  return name.replaceAll(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`);
}
