import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '../admin/admin-connection.js';
import { readTriggerBodies } from './read-trigger-bodies.js';

/** The rows of information_schema, by view. Members keep the upper-case names of the server. */
export interface SchemaRows {
  readonly tables: readonly TableRow[];
  readonly columns: readonly ColumnRow[];
  readonly indexParts: readonly IndexPartRow[];
  readonly checks: readonly CheckRow[];
  readonly triggers: readonly TriggerRow[];
}

export interface TableRow {
  readonly TABLE_NAME: string;
  readonly TABLE_TYPE: string;
  readonly TABLE_COLLATION: string | null;
  readonly TABLE_COMMENT: string;
}

export interface ColumnRow {
  readonly TABLE_NAME: string;
  readonly COLUMN_NAME: string;
  readonly COLUMN_DEFAULT: string | null;
  readonly IS_NULLABLE: string;
  readonly DATA_TYPE: string;
  readonly COLUMN_TYPE: string;
  readonly CHARACTER_MAXIMUM_LENGTH: number | null;
  readonly NUMERIC_PRECISION: number | null;
  readonly NUMERIC_SCALE: number | null;
  readonly DATETIME_PRECISION: number | null;
  readonly CHARACTER_SET_NAME: string | null;
  readonly COLLATION_NAME: string | null;
  readonly EXTRA: string;
  readonly COLUMN_COMMENT: string;
}

export interface IndexPartRow {
  readonly TABLE_NAME: string;
  readonly INDEX_NAME: string;
  readonly NON_UNIQUE: number;
  readonly INDEX_TYPE: string;
  readonly COLUMN_NAME: string | null;
  readonly SUB_PART: number | null;
  readonly COLLATION: string | null;
}

export interface CheckRow {
  readonly TABLE_NAME: string;
  readonly CONSTRAINT_NAME: string;
  readonly CHECK_CLAUSE: string;
}

export interface TriggerRow {
  readonly TABLE_NAME: string;
  readonly TRIGGER_NAME: string;
  readonly ACTION_TIMING: 'BEFORE' | 'AFTER';
  readonly EVENT_MANIPULATION: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly ACTION_STATEMENT: string;
  readonly SQL_MODE: string;
}

// Each query names its schema as a constant and has no joins. If MariaDB cannot restrict such a query to one
// schema, it opens all tables of all schemas, which is slow on a shared server and has crashed one. Column
// names are in upper case: MariaDB returns them as they are written, and MySQL 8 always returns upper case.
const TABLES_SQL = `SELECT TABLE_NAME, TABLE_TYPE, TABLE_COLLATION, TABLE_COMMENT
  FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME`;
const COLUMNS_SQL = `SELECT TABLE_NAME, COLUMN_NAME, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, COLUMN_TYPE, CHARACTER_MAXIMUM_LENGTH,
  NUMERIC_PRECISION, NUMERIC_SCALE, DATETIME_PRECISION, CHARACTER_SET_NAME, COLLATION_NAME, EXTRA, COLUMN_COMMENT
  FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME, ORDINAL_POSITION`;
const STATISTICS_SQL = `SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE, INDEX_TYPE, COLUMN_NAME, SUB_PART, COLLATION
  FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;
const CHECKS_MARIADB_SQL = `SELECT TABLE_NAME, CONSTRAINT_NAME, CHECK_CLAUSE
  FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = ? ORDER BY TABLE_NAME, CONSTRAINT_NAME`;
const CHECKS_MYSQL_SQL = `SELECT t.TABLE_NAME, c.CONSTRAINT_NAME, c.CHECK_CLAUSE
  FROM information_schema.CHECK_CONSTRAINTS c
  JOIN information_schema.TABLE_CONSTRAINTS t
    ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME AND t.CONSTRAINT_TYPE = 'CHECK'
  WHERE c.CONSTRAINT_SCHEMA = ? ORDER BY t.TABLE_NAME, c.CONSTRAINT_NAME`;

const TRIGGERS_SQL = `SELECT EVENT_OBJECT_TABLE AS TABLE_NAME, TRIGGER_NAME, ACTION_TIMING, EVENT_MANIPULATION, ACTION_STATEMENT, SQL_MODE
  FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? ORDER BY EVENT_OBJECT_TABLE, ACTION_TIMING, EVENT_MANIPULATION, ACTION_ORDER`;

/**
 * The maximum number of tables of a schema. A tenant can create any number of tables, so this limits the
 * memory that is used.
 */
const TABLES_MAX = 10_000;
/** The maximum number of rows of each other kind, such as columns and index parts. */
const PARTS_MAX = 100_000;

/**
 * Reads the tables, columns and keys of a schema in five queries on one session. If `tableName` is given, it
 * reads only that table.
 * @throws AppError `schema.too_large` for a schema with more than 10,000 tables or 100,000 columns
 */
export async function readSchemaRows(
  connection: AdminConnection,
  schemaName: string,
  engine: 'mariadb' | 'mysql',
  tableName?: string,
): Promise<SchemaRows> {
  const read = async <T>(sql: string, tableColumn = 'TABLE_NAME', rowsMax = PARTS_MAX): Promise<T[]> => {
    const narrowed =
      tableName === undefined ? sql : sql.replace(' ORDER BY ', ` AND ${tableColumn} = ? ORDER BY `);
    const rows = await connection.rows<T>(
      `${narrowed} LIMIT ${rowsMax + 1}`,
      tableName === undefined ? [schemaName] : [schemaName, tableName],
    );
    if (rows.length <= rowsMax) return rows;
    throw new AppError('schema.too_large', {
      detail: `A database can have at most ${TABLES_MAX} tables and views, and ${PARTS_MAX} columns.`,
      hint: 'Spread them over several projects.',
    });
  };
  const tables = await read<TableRow>(TABLES_SQL, 'TABLE_NAME', TABLES_MAX);
  const [columns, indexParts, checks, triggers] = await Promise.all([
    read<ColumnRow>(COLUMNS_SQL),
    read<IndexPartRow>(STATISTICS_SQL),
    engine === 'mariadb'
      ? read<CheckRow>(CHECKS_MARIADB_SQL)
      : read<CheckRow>(CHECKS_MYSQL_SQL, 't.TABLE_NAME'),
    read<TriggerRow>(TRIGGERS_SQL, 'EVENT_OBJECT_TABLE'),
  ]);
  const bodies = await readTriggerBodies(
    connection,
    schemaName,
    triggers.map((row) => ({
      name: row.TRIGGER_NAME,
      statement: row.ACTION_STATEMENT,
      sqlMode: row.SQL_MODE,
    })),
  );
  return {
    tables,
    columns,
    indexParts,
    checks,
    triggers: triggers.map((row, index) => ({
      ...row,
      ACTION_STATEMENT: bodies[index] ?? row.ACTION_STATEMENT,
    })),
  };
}
