import { isRecord } from '../client/api-error.js';

/** A table as `/schema` describes it. Missing members get a default. */
export interface TableView {
  readonly name: string;
  readonly path: string;
  readonly kind: 'table' | 'view';
  readonly primaryKey: readonly string[];
  readonly columns: readonly ColumnView[];
  readonly relationships: readonly RelationshipView[];
}

export interface ColumnView {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly unique: boolean;
  readonly autoIncrement: boolean;
  readonly maxLength: number | null;
  readonly labels: readonly string[] | null;
  readonly format: string | null;
  readonly references: ColumnReference | null;
  /** The type of values in responses: `integer`, `string`, `json`, … Empty if unknown. */
  readonly valueKind: string;
  /** Whether the database computes the column, which then cannot be written. */
  readonly isGenerated: boolean;
  /** Whether a new row needs a value for this column. */
  readonly isRequired: boolean;
}

/** The target of a foreign key with one column. */
export interface ColumnReference {
  readonly table: string;
  readonly column: string;
}

export interface RelationshipView {
  readonly name: string;
  readonly kind: string;
  readonly table: string;
  /**
   * The connection of the two tables. For a relationship to one, these are columns of this table; for one to
   * many, columns of the other table; otherwise the name of a link table.
   */
  readonly via: readonly string[];
}

export function readTables(tables: unknown): TableView[] {
  if (!Array.isArray(tables)) return [];
  return tables
    .filter(isRecord)
    .filter((table) => typeof table['name'] === 'string')
    .map(readTable);
}

function readTable(table: Record<string, unknown>): TableView {
  const name = String(table['name']);
  return {
    name,
    path: readText(table['path']) ?? name.replaceAll('_', '-'),
    kind: table['kind'] === 'view' ? 'view' : 'table',
    primaryKey: readTextList(table['primary_key']),
    columns: readRecords(table['columns']).map(readColumn),
    relationships: readRecords(table['relationships']).map((relationship) => ({
      name: String(relationship['name']),
      kind: String(relationship['kind']),
      table: String(relationship['table']),
      via: readTextList(relationship['via']),
    })),
  };
}

function readColumn(column: Record<string, unknown>): ColumnView {
  const labels = readTextList(column['enum']);
  const isGenerated = readText(column['generated']) !== null;
  const isOptional =
    column['nullable'] === true ||
    readDefault(column['default']) !== null ||
    column['auto_increment'] === true ||
    isGenerated;
  return {
    name: String(column['name']),
    type: String(column['type']),
    nullable: column['nullable'] === true,
    default: readDefault(column['default']),
    unique: column['unique'] === true,
    autoIncrement: column['auto_increment'] === true,
    maxLength: typeof column['max_length'] === 'number' ? column['max_length'] : null,
    labels: labels.length > 0 ? labels : null,
    format: readText(column['format']),
    references: readReference(column['references']),
    valueKind: readText(column['value_kind']) ?? '',
    isGenerated,
    // Older gateways do not report whether a column is required.
    isRequired: typeof column['required'] === 'boolean' ? column['required'] : !isOptional,
  };
}

function readDefault(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readReference(value: unknown): ColumnReference | null {
  if (!isRecord(value)) return null;
  const [table, column] = [readText(value['table']), readText(value['column'])];
  return table === null || column === null ? null : { table, column };
}

/** Returns the referenced column as text, such as `users.id`. */
export function describeReference({ table, column }: ColumnReference): string {
  return `${table}.${column}`;
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function readTextList(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(String) : [];
}

function readRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Quotes an identifier with backquotes for SQL. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
