// @ts-check
import { quoteName } from '@rowhouse/mysql';
import { lexSql } from '@rowhouse/query-engine';

/** @typedef {import('@rowhouse/mysql').AdminConnection} AdminConnection */
/** @typedef {import('@rowhouse/schema-model').Snapshot} Snapshot */
/** @typedef {import('@rowhouse/schema-model').Column} Column */

const BOUNDS = { bytesMax: 4 << 20, depthMax: 500, tokensMax: 400_000 };
const HAS_CHANGES =
  /--[\x01-\x20\x7f]|#|\/\*|[\0\r\v\f\x1a]|\n[ \t\n]*(?:status|source|print|help|go|tee|pager|edit|ego|prompt|clear|quit|delimiter|warnings|connect|charset|rehash|notee)/i;

/**
 * Returns the tokens of a statement with the values of its strings. A body without its comments, or with its
 * strings written differently, gives the same result.
 * @param {string} sql
 */
function toMeaning(sql) {
  return JSON.stringify(
    lexSql(sql, BOUNDS)
      .filter((token) => token.kind !== 'comment')
      .map((token) => [token.kind, token.kind === 'string' ? token.value : token.text]),
  );
}

/** @param {string} before @param {string} after */
function isSameBody(before, after) {
  return before === after || (HAS_CHANGES.test(before) && toMeaning(before) === toMeaning(after));
}

/**
 * Lists the differences between two schemas, including the names of objects that one side lacks.
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @param {{ has: (key: string) => boolean }} omitted objects that the file names as left out
 */
export function compareSchemas(before, after, omitted) {
  const [old, now] = [before, after].map(listObjects);
  const differing = [];
  for (const [key, item] of old ?? []) {
    const other = now?.get(key);
    if (
      other === undefined
        ? !omitted.has(key)
        : !(item.isBody ? isSameBody(item.sql, other.sql) : item.sql === other.sql)
    )
      differing.push(`${key}: ${JSON.stringify(item.sql)} became ${JSON.stringify(other?.sql)}`);
  }
  for (const key of now?.keys() ?? []) if (!old?.has(key)) differing.push(`${key} came from nowhere`);
  return differing;
}

/** @param {Snapshot} snapshot */
function listObjects(snapshot) {
  /** @type {Map<string, { sql: string, isBody: boolean }>} */
  const objects = new Map();
  for (const table of snapshot.tables) {
    objects.set(`${table.kind} ${table.name}`, { sql: table.createSql, isBody: false });
    for (const trigger of table.triggers ?? [])
      objects.set(`trigger ${trigger.name}`, { sql: trigger.createSql, isBody: true });
  }
  for (const routine of snapshot.routines ?? [])
    objects.set(`${routine.kind} ${routine.name}`, { sql: routine.createSql, isBody: true });
  return objects;
}

/**
 * Reads every value of every row, in a notation that differs from that of the writer.
 * @param {AdminConnection} connection
 * @param {Snapshot} snapshot
 */
export async function readValues(connection, snapshot) {
  const values = [];
  for (const table of snapshot.tables.filter(({ kind }) => kind === 'table')) {
    const rows = await connection.rows(
      `SELECT CONCAT_WS('|', ${table.columns.map(spell).join(', ')}) AS v FROM ${quoteName(table.name)}`,
    );
    values.push([table.name, /** @type {{ v: unknown }[]} */ (rows).map((row) => String(row.v)).sort()]);
  }
  return JSON.stringify(values);
}

/** @param {Column} column */
function spell(column) {
  const name = quoteName(column.name);
  if (column.type === 'bit') return `IFNULL(${name} + 0, '~')`;
  if (column.type === 'enum') return `IFNULL(${name} + 0, '~')`;
  if (column.type === 'double' || column.type === 'float')
    return `IFNULL(CONCAT(CAST(${name} AS DOUBLE)), '~')`;
  return `IFNULL(HEX(CONCAT(${name})), '~')`;
}
