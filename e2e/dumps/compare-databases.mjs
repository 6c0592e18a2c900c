// @ts-check
import { quoteName } from '@rowhouse/mysql';

/** @typedef {import('@rowhouse/mysql').AdminConnection} AdminConnection */
/** @typedef {{ name: string, position: number, type: string, data: string, nullable: string, fallback: string | null, extra: string, collation: string | null, comment: string }} Column */
/** @typedef {{ tables: number, rows: number, values: number, differences: { object: string, what: string }[] }} Comparison */

const BINARY = /^(?:tiny|medium|long)?blob$|binary$|^geom|^point$|^linestring$|^polygon$|^multi|^vector$/;

/**
 * Compares two databases in tables, columns, keys, views, routines, triggers and every value. Any two times
 * of the current day count as equal, because a dump may call NOW().
 * @param {{ connection: AdminConnection, database: string }} plain
 * @param {{ connection: AdminConnection, database: string }} copy
 * @returns {Promise<Comparison>}
 */
export async function compareDatabases(plain, copy) {
  /** @type {Comparison['differences']} */
  const differences = [];
  let [rows, values, tables] = [0, 0, 0];
  const note = (/** @type {string} */ object, /** @type {string} */ what) =>
    void differences.push({ object, what });
  for (const [kind, sql] of Object.entries(LISTS))
    compareLists(kind, await list(plain, sql), await list(copy, sql), note);
  const names = /** @type {{ name: string, type: string }[]} */ (
    await list(
      plain,
      `SELECT TABLE_NAME AS name, TABLE_TYPE AS type FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? ORDER BY 1`,
    )
  );
  const present = new Set(
    (await list(copy, 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?')).map(
      (row) => String(row['name']),
    ),
  );
  for (const { name, type } of names.filter((table) => present.has(table.name))) {
    const columns = /** @type {Column[]} */ (
      /** @type {unknown} */ (
        await list(plain, `${COLUMNS} AND TABLE_NAME = '${name.replaceAll("'", "''")}'`)
      )
    );
    const found = await compareRows(plain, copy, name, columns, type === 'VIEW').catch(
      (/** @type {Error} */ error) => ({ rows: 0, what: `cannot be read: ${error.message}` }),
    );
    if (type !== 'VIEW') tables += 1;
    rows += found.rows;
    values += found.rows * columns.length;
    if (found.what !== null) note(name, found.what);
  }
  return { tables, rows, values, differences };
}

const COLUMNS = `SELECT COLUMN_NAME AS name, ORDINAL_POSITION AS position, COLUMN_TYPE AS type, DATA_TYPE AS data, IS_NULLABLE AS nullable, COLUMN_DEFAULT AS fallback, EXTRA AS extra, COLLATION_NAME AS collation, COLUMN_COMMENT AS comment
  FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ?`;
/** The queries whose rows have an `object`. All other members of a row are compared. */
const LISTS = {
  table: `SELECT TABLE_NAME AS object, TABLE_TYPE AS type, IF(TABLE_TYPE = 'VIEW', '', TABLE_COMMENT) AS comment, TABLE_COLLATION AS collation FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?`,
  column: `SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME) AS object, ORDINAL_POSITION AS position, COLUMN_TYPE AS type, IS_NULLABLE AS nullable, COLUMN_DEFAULT AS fallback, EXTRA AS extra, COLLATION_NAME AS collation, COLUMN_COMMENT AS comment FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ?`,
  index: `SELECT CONCAT(TABLE_NAME, '.', INDEX_NAME, ' ', SEQ_IN_INDEX) AS object, COLUMN_NAME AS name, NON_UNIQUE AS nonUnique, SUB_PART AS part, INDEX_TYPE AS type FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ?`,
  key: `SELECT CONCAT(k.TABLE_NAME, '.', k.CONSTRAINT_NAME, ' ', k.ORDINAL_POSITION) AS object, k.COLUMN_NAME AS name, k.REFERENCED_TABLE_NAME AS target, k.REFERENCED_COLUMN_NAME AS targetColumn, r.UPDATE_RULE AS onUpdate, r.DELETE_RULE AS onDelete
    FROM information_schema.KEY_COLUMN_USAGE k JOIN information_schema.REFERENTIAL_CONSTRAINTS r ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME AND r.TABLE_NAME = k.TABLE_NAME
    WHERE k.TABLE_SCHEMA = ? AND k.REFERENCED_TABLE_NAME IS NOT NULL`,
  trigger:
    'SELECT TRIGGER_NAME AS object, EVENT_MANIPULATION AS event, ACTION_TIMING AS timing, EVENT_OBJECT_TABLE AS target FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ?',
  routine:
    'SELECT ROUTINE_NAME AS object, ROUTINE_TYPE AS type, DTD_IDENTIFIER AS returns FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ?',
  number: `SELECT t.TABLE_NAME AS object, COALESCE(t.AUTO_INCREMENT, 1) AS next FROM information_schema.TABLES t
    JOIN information_schema.COLUMNS c ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME AND c.EXTRA LIKE '%auto_increment%' WHERE t.TABLE_SCHEMA = ?`,
};

/** @param {{ connection: AdminConnection, database: string }} side @param {string} sql */
async function list({ connection, database }, sql) {
  return /** @type {Record<string, unknown>[]} */ (await connection.rows(sql, [database]));
}

/**
 * @param {string} kind
 * @param {Record<string, unknown>[]} before
 * @param {Record<string, unknown>[]} after
 * @param {(object: string, what: string) => void} note
 */
function compareLists(kind, before, after, note) {
  const [old, now] = [before, after].map(
    (rows) => new Map(rows.map(({ object, ...rest }) => [String(object), JSON.stringify(rest)])),
  );
  for (const [object, text] of old ?? []) {
    const other = now?.get(object);
    if (other === undefined) note(object, `${kind} is missing`);
    else if (other !== text) note(object, `${kind} ${text} became ${other}`);
  }
  for (const object of now?.keys() ?? []) if (!old?.has(object)) note(object, `${kind} is only in the copy`);
}

/**
 * @param {{ connection: AdminConnection, database: string }} plain
 * @param {{ connection: AdminConnection, database: string }} copy
 * @param {string} table
 * @param {Column[]} columns
 * @param {boolean} isView
 */
async function compareRows(plain, copy, table, columns, isView) {
  // GROUP_CONCAT in a view has no defined order, so only the lengths of a view's texts are compared.
  const spell = (/** @type {Column} */ column) =>
    isView && /text$/.test(column.data)
      ? `IFNULL(CHAR_LENGTH(${quoteName(column.name)}), 'N')`
      : spellValue(column);
  const hash = `SELECT SHA2(CONCAT_WS('|', ${columns.map(spell).join(', ')}), 256) AS h FROM`;
  const read = async (
    /** @type {{ connection: AdminConnection, database: string }} */ { connection, database },
  ) => {
    const rows = /** @type {{ h: string }[]} */ (
      await connection.rows(`${hash} ${quoteName(database)}.${quoteName(table)}`)
    );
    return rows.map(({ h }) => h).sort();
  };
  const [before, after] = [await read(plain), await read(copy)];
  if (before.length === after.length && before.every((item, index) => item === after[index]))
    return { rows: before.length, what: null };
  const retained = new Set(after);
  const missing = before.filter((item) => !retained.has(item)).length;
  const wrong = [];
  for (const column of columns) {
    const sum = `SELECT COUNT(*) AS n, SUM(CRC32(${spell(column)})) AS s FROM`;
    const sides = await Promise.all(
      [plain, copy].map(async ({ connection, database }) =>
        JSON.stringify(await connection.rows(`${sum} ${quoteName(database)}.${quoteName(table)}`)),
      ),
    );
    if (sides[0] !== sides[1]) wrong.push(column.name);
  }
  return {
    rows: before.length,
    what: `rows: ${before.length} became ${after.length}, ${missing} differ in ${wrong.join(', ') || 'their order'}`,
  };
}

/**
 * Returns an expression for the value of a column as ASCII text.
 * @param {Column} column
 */
function spellValue({ name, data }) {
  const quoted = quoteName(name);
  if (BINARY.test(data)) return `IFNULL(HEX(${quoted}), 'N')`;
  if (data === 'bit') return `IFNULL(${quoted} + 0, 'N')`;
  if (data === 'enum') return `IFNULL(CONCAT(${quoted} + 0, HEX(CONVERT(${quoted} USING utf8mb4))), 'N')`;
  if (['date', 'datetime', 'timestamp'].includes(data))
    return `IFNULL(IF(CONCAT(${quoted}) >= CONCAT(CURRENT_DATE - INTERVAL 1 DAY), 'today', CONCAT(${quoted})), 'N')`;
  return `IFNULL(HEX(CONVERT(CONCAT(${quoted}) USING utf8mb4)), 'N')`;
}
