// @ts-check
import { quoteName } from '../sql-files/hostile-text.mjs';

/** @typedef {{ tables: Map<string, { create: string, next: string | null, rows: string[] }>, values: number }} Contents */

/**
 * Reads every table of a schema: its definition, its next automatic id, and each value as hexadecimal digits.
 * @param {import('@rowhouse/mysql').AdminConnection} root
 * @param {string} schema
 * @returns {Promise<Contents>}
 */
export async function readContents(root, schema) {
  /** @type {Contents} */
  const contents = { tables: new Map(), values: 0 };
  const listed = /** @type {{ t: string, c: string, k: string, cs: string | null }[]} */ (
    await root.rows(
      'SELECT TABLE_NAME AS t, COLUMN_NAME AS c, DATA_TYPE AS k, CHARACTER_SET_NAME AS cs FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME, ORDINAL_POSITION',
      [schema],
    )
  );
  for (const table of new Set(listed.map(({ t }) => t))) {
    const columns = listed.filter(({ t }) => t === table);
    const [visible] = /** @type {Record<string, string>[]} */ (
      await root.rows(`SHOW CREATE TABLE ${quoteName(schema)}.${quoteName(table)}`)
    );
    const text = visible?.['Create Table'] ?? '';
    const end = text.lastIndexOf('\n)');
    const next = /\bAUTO_INCREMENT=(\d+)/.exec(text.slice(end))?.[1] ?? null;
    const rows = /** @type {{ v: string }[]} */ (
      await root.rows(
        `SELECT CONCAT_WS('|', ${columns.map(({ c, k }) => spell(c, k)).join(', ')}) AS v FROM ${quoteName(schema)}.${quoteName(table)}`,
      )
    );
    contents.tables.set(table, {
      create: text.slice(0, end) + text.slice(end).replace(/ AUTO_INCREMENT=\d+/, ''),
      next,
      rows: rows.map(({ v }) => v).sort(),
    });
    contents.values += rows.length * columns.length;
  }
  return contents;
}

/**
 * Returns an expression for a value in a notation that differs from that of the exports.
 * @param {string} column
 * @param {string} kind
 */
function spell(column, kind) {
  const name = quoteName(column);
  if (kind === 'bit' || kind === 'enum' || kind === 'set') return `IFNULL(HEX(${name} + 0), '~')`;
  if (kind === 'float') return `IFNULL(HEX(CONCAT(${name} + 0e0)), '~')`;
  if (/char|text|binary|blob|point|linestring|polygon|geom|vector/.test(kind))
    return `IFNULL(HEX(${name}), '~')`;
  return `IFNULL(HEX(CONCAT(${name})), '~')`;
}

/**
 * Lists the differences between a source and its copy.
 * @param {Contents} before
 * @param {Contents} after
 * @returns {string[]}
 */
export function compareContents(before, after) {
  const faults = [];
  for (const [name, table] of before.tables) {
    const copy = after.tables.get(name);
    if (copy === undefined) {
      faults.push(`${name} is missing`);
      continue;
    }
    if (copy.create !== table.create)
      faults.push(`${name}: ${JSON.stringify(table.create)} became ${JSON.stringify(copy.create)}`);
    if (copy.next !== table.next) faults.push(`${name}: AUTO_INCREMENT ${table.next} became ${copy.next}`);
    const position = table.rows.findIndex((row, index) => row !== copy.rows[index]);
    if (position >= 0 || table.rows.length !== copy.rows.length)
      faults.push(
        `${name}: row ${table.rows[position]} became ${copy.rows[position]} (${table.rows.length} and ${copy.rows.length} rows); ${table.create.slice(0, 3_000)}`,
      );
  }
  for (const name of after.tables.keys())
    if (!before.tables.has(name)) faults.push(`${name} came from nowhere`);
  return faults;
}
