import {
  MARIADB_STATEMENT_TIMEOUT,
  MYSQL_STATEMENT_TIMEOUT,
  TABLE_ACCESS_DENIED,
  COLUMN_ACCESS_DENIED,
} from '@rowhouse/errors';
import { VALUE_INDEX_LIMITS } from '@rowhouse/contracts';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { EngineKind } from '@rowhouse/schema-model';
import { judgeValues, type IndexedColumn } from './fit-values.js';
import type { IndexableColumn, IndexableTable } from './list-indexable.js';

const STATEMENT_MS_MAX = 1_000;
/**
 * A table with at most this number of rows, as estimated by the server, is read as a whole. From a larger
 * table, only the rows at both ends of the primary key are read.
 */
const ROWS_READ_MAX = 50_000;
/** The errors of MariaDB and MySQL for a statement that was stopped at its time limit. */
const LATE_NUMBERS: ReadonlySet<number> = new Set([MARIADB_STATEMENT_TIMEOUT, MYSQL_STATEMENT_TIMEOUT]);
/** Errors when the account lacks the right, because the column was hidden a moment ago. */
const DENIED_NUMBERS: ReadonlySet<number> = new Set([TABLE_ACCESS_DENIED, COLUMN_ACCESS_DENIED]);

/**
 * Sets up a session so that it does not delay others: its statements are short and read-only, and take no
 * locks.
 */
export async function calmReader(reader: AdminConnection, engine: EngineKind): Promise<void> {
  await reader.run(
    engine === 'mariadb'
      ? `SET SESSION max_statement_time = ${STATEMENT_MS_MAX / 1_000}`
      : `SET SESSION max_execution_time = ${STATEMENT_MS_MAX}`,
  );
  await reader.run('SET SESSION TRANSACTION READ ONLY');
  if (engine === 'mysql') await reader.run('SET SESSION information_schema_stats_expiry = 0');
}

/**
 * Returns the distinct values of one column if they are few and short. Returns null if the account may not
 * read the column. `rows` is the server's estimate of the table's row count. At most two statements reach
 * their time limit of one second, whatever the table contains.
 */
export async function readColumn(
  reader: AdminConnection,
  table: IndexableTable,
  column: IndexableColumn,
  rows: number,
): Promise<IndexedColumn | null> {
  const isLarge = rows > ROWS_READ_MAX;
  const codePaths = [
    ...(isLarge && column.canSkip ? [sqlForWhole(table, column)] : []),
    isLarge ? sqlForEnds(table, column) : sqlForWhole(table, column),
    ...(isLarge ? [] : [sqlForEnds(table, column)]),
  ];
  for (const sql of codePaths) {
    try {
      const found = await reader.rows<{ v: string }>(sql);
      return judgeValues(
        table.name,
        column.name,
        found.map((row) => row.v),
      );
    } catch (error) {
      const errno = readServerFault(error)?.errno ?? 0;
      if (DENIED_NUMBERS.has(errno)) return null;
      if (!LATE_NUMBERS.has(errno)) throw error;
    }
  }
  return { table: table.name, column: column.name, state: 'slow', values: [] };
}

const DISTINCT_MAX = VALUE_INDEX_LIMITS.valuesPerColumnMax + 1;

/**
 * Returns SQL that reads only the beginning of a long text, which is enough to recognize that it is too long.
 */
function beginningOf(column: IndexableColumn): string {
  return `LEFT(${quoteName(column.name)}, ${VALUE_INDEX_LIMITS.charactersMax + 1})`;
}

function sqlForWhole(table: IndexableTable, column: IndexableColumn): string {
  const name = quoteName(column.name);
  return `SELECT DISTINCT ${column.canSkip ? name : beginningOf(column)} AS v FROM ${quoteName(table.name)} WHERE ${name} IS NOT NULL LIMIT ${DISTINCT_MAX}`;
}

function sqlForEnds(table: IndexableTable, column: IndexableColumn): string {
  const end = (direction: string): string => {
    const order =
      table.primaryKey === null
        ? ''
        : ` ORDER BY ${table.primaryKey.map((name) => `${quoteName(name)}${direction}`).join(', ')}`;
    return `(SELECT ${beginningOf(column)} AS v FROM ${quoteName(table.name)}${order} LIMIT ${ROWS_READ_MAX / 2})`;
  };
  const ends = table.primaryKey === null ? end('') : `${end('')} UNION ALL ${end(' DESC')}`;
  return `SELECT DISTINCT v FROM (${ends}) s WHERE v IS NOT NULL LIMIT ${DISTINCT_MAX}`;
}
