import { quoteName } from '../sql-text.js';
import type { RawColumn, RawSchema } from '../raw-schema.js';
import type { ColumnDefault, EngineKind, Index } from '../types.js';
import { foreignKey, rawColumn, rawTable, uniqueIndex } from './raw-builders.js';

/**
 * A random schema before a database engine has processed it. It contains all information that is needed to
 * deploy the schema, and to describe it in the same way as the engine.
 */
export interface SchemaSketch {
  readonly engine: EngineKind;
  /** The tables of the schema. A table that another one refers to comes first. */
  readonly tables: readonly TableSketch[];
}

export interface TableSketch {
  readonly name: string;
  readonly columns: readonly ColumnSketch[];
  readonly primaryKey: readonly string[] | null;
  readonly uniqueKeys: readonly (readonly string[])[];
  /** The columns that have a FULLTEXT index of their own. */
  readonly fullTextOn: readonly string[];
  readonly foreignKeys: readonly KeySketch[];
}

export interface ColumnSketch {
  readonly name: string;
  /** The type in the notation of COLUMN_TYPE, such as `int(11) unsigned`. */
  readonly sqlType: string;
  readonly nullable: boolean;
  /** The SQL expression after DEFAULT. Null if the column has no default. */
  readonly defaultSql: string | null;
  readonly autoIncrement: boolean;
  /** The SQL expression of a generated column. Null for other columns. */
  readonly generatedAs: string | null;
  readonly comment: string;
}

export interface KeySketch {
  readonly columns: readonly string[];
  readonly table: string;
  readonly referenced: readonly string[];
}

/** Returns the CREATE TABLE statements of a random schema. */
export function toSchemaSql(sketch: SchemaSketch): string {
  return sketch.tables
    .map((table) => `CREATE TABLE ${quoteName(table.name)} (\n  ${listPieces(table).join(',\n  ')}\n);\n`)
    .join('\n');
}

function listPieces(table: TableSketch): string[] {
  return [
    ...table.columns.map(toColumnSql),
    ...(table.primaryKey === null ? [] : [`PRIMARY KEY (${quoteAll(table.primaryKey)})`]),
    ...table.uniqueKeys.map((columns, index) => `UNIQUE KEY unique_${index} (${quoteAll(columns)})`),
    ...table.fullTextOn.map((column, index) => `FULLTEXT KEY words_${index} (${quoteName(column)})`),
    ...table.foreignKeys.map(
      (key) =>
        `FOREIGN KEY (${quoteAll(key.columns)}) REFERENCES ${quoteName(key.table)} (${quoteAll(key.referenced)})`,
    ),
  ];
}

function toColumnSql(column: ColumnSketch): string {
  const generated = column.generatedAs === null ? '' : ` AS (${column.generatedAs}) VIRTUAL`;
  // MariaDB does not accept NOT NULL for a generated column.
  const nullable = column.generatedAs !== null ? '' : column.nullable ? ' NULL' : ' NOT NULL';
  const rest = `${column.defaultSql === null ? '' : ` DEFAULT ${column.defaultSql}`}${column.autoIncrement ? ' AUTO_INCREMENT' : ''}`;
  return `${quoteName(column.name)} ${column.sqlType}${generated}${nullable}${rest}${column.comment === '' ? '' : ` COMMENT '${column.comment.replaceAll("'", "''")}'`}`;
}

/** Returns a random schema in the form in which the introspection of a database describes it. */
export function toRawSchema(sketch: SchemaSketch): RawSchema {
  return {
    engine: sketch.engine,
    tables: sketch.tables.map((table) =>
      rawTable(table.name, table.columns.map(toRawColumn), {
        primaryKey: table.primaryKey,
        indexes: [
          ...table.uniqueKeys.map((columns, index) => uniqueIndex(`unique_${index}`, columns)),
          ...table.fullTextOn.map(fullTextIndex),
        ],
        foreignKeys: table.foreignKeys.map((key) =>
          foreignKey(table.name, key.columns, key.table, key.referenced),
        ),
      }),
    ),
  };
}

function toRawColumn(column: ColumnSketch): RawColumn {
  const { nullable, autoIncrement, comment, defaultSql } = column;
  return rawColumn(column.name, column.sqlType, {
    nullable,
    autoIncrement,
    comment,
    default: toDefault(defaultSql, nullable),
    generated: column.generatedAs === null ? null : 'virtual',
  });
}

function toDefault(sql: string | null, nullable: boolean): ColumnDefault {
  if (sql === null) return { kind: nullable ? 'null' : 'none' };
  return /^'|^-?\d/.test(sql)
    ? { kind: 'literal', text: sql.replace(/^'(.*)'$/, '$1') }
    : { kind: 'expression', text: sql };
}

function fullTextIndex(column: string, index: number): Index {
  return {
    name: `words_${index}`,
    unique: false,
    kind: 'fulltext',
    columns: [{ name: column, prefixLength: null, descending: false }],
    definition: `FULLTEXT KEY \`words_${index}\` (${quoteName(column)})`,
  };
}

function quoteAll(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}
