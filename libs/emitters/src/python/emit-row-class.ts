import { isFilledUuid, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import { emitRelationship, type RowScope } from './emit-relationship.js';
import { toCall, toPythonString, type PythonImports } from './python-text.js';
import { toRowType } from './to-row-type.js';
import { toValueType } from './to-value-type.js';

/**
 * Emits the abstract SQLAlchemy class of a table. SQLAlchemy maps the user's subclass of it. A table without
 * a key becomes a plain `sa.Table`.
 */
export function emitRowClass(scope: RowScope): string {
  const { table, names, imports } = scope;
  imports.module('import sqlalchemy as sa');
  const base = imports.name('.base', 'Base');
  if (table.rowKey === null || table.kind === 'view') return emitPlainTable(scope, base);
  const lines = [
    '__abstract__ = True',
    `__tablename__ = ${toPythonString(table.name)}`,
    ...emitTableArgs(scope),
    '',
    ...table.columns.map((column) => emitColumn(scope, column)),
    ...table.relationships
      .filter(({ target }) => target.rowKey !== null && target.kind === 'table')
      .flatMap((relationship) => ['', ...emitRelationship(relationship, scope)]),
  ];
  return `class Generated${names.one}(${base}):\n    ${toPythonString(describe(table))}\n\n${lines.map((line) => (line === '' ? '\n' : `    ${line}\n`)).join('')}`;
}

function emitPlainTable({ table, names, imports }: RowScope, base: string): string {
  const columns = table.columns.map((column) =>
    toCall(
      'sa.Column',
      [
        toPythonString(column.name),
        toRowType(column, imports),
        `nullable=${toBoolean(column.nullable)}`,
        ...toDefaults(column, imports),
      ],
      4,
    ),
  );
  return `${toCall(`Generated${names.one}Table: sa.Table = sa.Table`, [toPythonString(table.name), `${base}.metadata`, ...columns], 0)}\n`;
}

function emitColumn(scope: RowScope, column: CompiledColumn): string {
  const { table, names, imports, options } = scope;
  const attribute = names.columns.get(column.name) ?? column.name;
  const isKey = table.rowKey?.includes(column) === true;
  const args = [
    ...(attribute === column.name ? [] : [toPythonString(column.name)]),
    isDefaulted(column)
      ? `${imports.name('.base', 'OrNull')}(${toRowType(column, imports)})`
      : toRowType(column, imports),
    ...(isKey
      ? ['primary_key=True', `autoincrement=${toBoolean(column.autoIncrement)}`]
      : [`nullable=${toBoolean(column.nullable)}`]),
    ...toDefaults(column, imports),
  ];
  if (options.sqlalchemy === '1.4') return `${attribute} = ${toCall('sa.Column', args, 4)}`;
  const value = toValueType(column, names.labels.get(column.name), imports);
  const mapped = `${imports.name('sqlalchemy.orm', 'Mapped')}[${value}${column.nullable && value !== 'Any' ? ' | None' : ''}]`;
  return `${attribute}: ${mapped} = ${toCall(imports.name('sqlalchemy.orm', 'mapped_column'), args, 4)}`;
}

/**
 * Returns the arguments that define a column's value in a write that omits the column. Generated columns are
 * never written.
 */
function toDefaults(column: CompiledColumn, imports: PythonImports): string[] {
  if (column.generated !== null)
    return ['server_default=sa.FetchedValue()', 'server_onupdate=sa.FetchedValue()'];
  const isUuid =
    isFilledUuid(column) || (column.default.kind === 'expression' && /^uuid\(\)$/i.test(column.default.text));
  // The data API generates a value for such a column. This default has the same effect on a direct
  // connection.
  if (isUuid && column.valueKind === 'string') return [`default=${imports.name('.base', 'new_uuid')}`];
  const later = column.onUpdateNow ? ['server_onupdate=sa.FetchedValue()'] : [];
  if (column.default.kind === 'literal')
    return [`server_default=${toPythonString(column.default.text)}`, ...later];
  return column.default.kind === 'expression' ? ['server_default=sa.FetchedValue()', ...later] : later;
}

/**
 * Emits foreign keys and unique keys with the names that they have in the database. SQLAlchemy cannot refer
 * to names that contain a dot.
 */
function emitTableArgs({ table }: RowScope): string[] {
  const keys = table.foreignKeys.filter(
    (key) =>
      ![key.referencedTable, ...key.referencedColumns].some((name) => name.includes('.')) &&
      table.schema.findByName(key.referencedTable) !== null,
  );
  const uniques = table.indexes.filter(
    (index) =>
      index.unique &&
      index.name !== 'PRIMARY' &&
      index.columns.every((part) => part.name !== null && part.prefixLength === null),
  );
  const args = [
    ...uniques.map((index) =>
      toCall(
        'sa.UniqueConstraint',
        [
          ...index.columns.map((part) => toPythonString(part.name ?? '')),
          `name=${toPythonString(index.name)}`,
        ],
        8,
      ),
    ),
    ...keys.map((key) =>
      toCall(
        'sa.ForeignKeyConstraint',
        [
          `[${key.columns.map(toPythonString).join(', ')}]`,
          `[${key.referencedColumns.map((name) => toPythonString(`${key.referencedTable}.${name}`)).join(', ')}]`,
          `name=${toPythonString(key.name)}`,
          ...(key.onDelete === 'RESTRICT' || key.onDelete === 'NO ACTION'
            ? []
            : [`ondelete=${toPythonString(key.onDelete)}`]),
        ],
        8,
      ),
    ),
  ];
  return args.length === 0
    ? []
    : [`__table_args__ = (\n${args.map((arg) => `        ${arg},\n`).join('')}    )`];
}

function describe(table: CompiledTable): string {
  const comment = table.source.comment.trim();
  return comment === '' ? `A row of ${table.name}.` : comment;
}

/**
 * Reports whether an explicit None must be handled specially. SQLAlchemy would omit it, so that the database
 * would use the column's default.
 */
function isDefaulted(column: CompiledColumn): boolean {
  return (
    column.nullable &&
    (column.default.kind === 'literal' || column.default.kind === 'expression') &&
    column.generated === null
  );
}

function toBoolean(is: boolean): string {
  return is ? 'True' : 'False';
}
