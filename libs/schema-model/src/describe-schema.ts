import { compileTablesSteps } from './compile/compile-snapshot.js';
import type { CompiledColumn, CompiledSnapshot, CompiledTable } from './compile/compiled-snapshot.js';
import { doSteps, type Steps, mapTables } from './steps.js';
import { describeTableSql } from './describe-table-sql.js';
import { isFilledUuid } from './naming/find-created-column.js';
import type { Column, ColumnFormat, ValueKind } from './types.js';
import { toUrlPath } from './naming/name-paths.js';

export interface IndexEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'table' | 'view';
  readonly href: string;
}

export interface SchemaHeading {
  readonly project: string;
  readonly database: string;
}

export interface SchemaDescription extends SchemaHeading {
  readonly dialect: string;
  readonly version: number;
  readonly tables: readonly TableDescription[];
  readonly sql: string;
}

export interface TableDescription {
  readonly name: string;
  readonly path: string;
  readonly kind: 'table' | 'view';
  readonly primary_key: readonly string[] | null;
  readonly columns: readonly ColumnDescription[];
  readonly indexes: readonly {
    readonly name: string;
    readonly unique: boolean;
    readonly kind: string;
    readonly columns: readonly string[];
  }[];
  readonly relationships: readonly {
    readonly name: string;
    readonly kind: string;
    readonly table: string;
    readonly via: readonly string[] | string;
  }[];
}

export interface ColumnDescription {
  readonly name: string;
  readonly type: string;
  /**
   * The kind of the value in JSON. It is needed in addition to `type`, which is the same for MariaDB's JSON
   * columns and long texts.
   */
  readonly value_kind: ValueKind;
  readonly nullable: boolean;
  readonly default: string | null;
  /** The kind of a generated column, which is never written. Null for other columns. */
  readonly generated: 'virtual' | 'stored' | null;
  /** Whether a new row needs a value for this column. */
  readonly required: boolean;
  readonly unique: boolean;
  readonly auto_increment: boolean;
  readonly max_length: number | null;
  readonly enum: readonly string[] | null;
  readonly format: ColumnFormat | null;
  readonly references: { readonly table: string; readonly column: string } | null;
}

/** Returns the description of the schema without pauses. */
export function describeSchema(compiled: CompiledSnapshot, heading: SchemaHeading): SchemaDescription {
  return doSteps(describeSchemaSteps(compiled, heading));
}

/**
 * Returns the response body of `GET /v1/-/schema`. It is plain JSON, without DEFINER clauses and everything
 * that the rights hide.
 */
export function* describeSchemaSteps(
  compiled: CompiledSnapshot,
  heading: SchemaHeading,
): Steps<SchemaDescription> {
  const tables = yield* compileTablesSteps(compiled);
  return {
    project: heading.project,
    database: heading.database,
    dialect: compiled.engine,
    version: compiled.number,
    tables: yield* mapTables(tables, describeTable),
    sql: (yield* mapTables(tables, (table) => `${describeTableSql(table)};\n`)).join('\n'),
  };
}

function describeTable(table: CompiledTable): TableDescription {
  const isVisible = (name: string | null): boolean => name === null || table.findColumn(name) !== null;
  const primaryKey = table.source.primaryKey;
  return {
    name: table.name,
    path: table.path,
    kind: table.kind,
    primary_key: primaryKey !== null && primaryKey.every(isVisible) ? primaryKey : null,
    columns: table.columns.filter((column) => !column.hidden).map((column) => describeColumn(column, table)),
    indexes: table.indexes
      .filter((index) => index.columns.every((part) => isVisible(part.name)))
      .map((index) => ({
        name: index.name,
        unique: index.unique,
        kind: index.kind,
        columns: index.columns.map((part) => part.name ?? '(expression)'),
      })),
    relationships: table.relationships.map((relationship) => ({
      name: relationship.name,
      kind: relationship.kind,
      table: relationship.target.name,
      via:
        relationship.link?.table.name ??
        (relationship.kind === 'to_one' ? relationship.sourceColumns : relationship.targetColumns).map(
          toName,
        ),
    })),
  };
}

function toName(column: Column): string {
  return column.name;
}

function describeColumn(column: CompiledColumn, table: CompiledTable): ColumnDescription {
  const key = table.foreignKeys.find(
    (candidate) => candidate.columns.length === 1 && candidate.columns[0] === column.name,
  );
  const target = key === undefined ? null : table.schema.findByName(key.referencedTable);
  const targetColumn = target?.findColumn(key?.referencedColumns[0] ?? '') ?? null;
  return {
    name: column.name,
    type: column.sqlType,
    value_kind: column.valueKind,
    nullable: column.nullable,
    default:
      column.default.kind === 'literal' || column.default.kind === 'expression' ? column.default.text : null,
    generated: column.generated,
    required: column.required && !isFilledUuid(column),
    unique: table.indexes.some(
      (index) => index.unique && index.columns.length === 1 && index.columns[0]?.name === column.name,
    ),
    auto_increment: column.autoIncrement,
    max_length: column.maxLength,
    enum: column.labels,
    format: column.format,
    references:
      target === null || targetColumn === null ? null : { table: target.name, column: targetColumn.name },
  };
}

/** Lists the visible tables with links to them. `prefix` is the path of the data API, such as `/v1/-`. */
export function describeIndex(compiled: CompiledSnapshot, prefix: string): { tables: IndexEntry[] } {
  const tables: IndexEntry[] = [];
  for (const name of compiled.tableNames) {
    const table = compiled.findByName(name);
    if (table !== null)
      tables.push({ name, path: table.path, kind: table.kind, href: `${prefix}/${toUrlPath(table.path)}` });
  }
  return { tables };
}
