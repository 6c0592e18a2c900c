import type { Snapshot, Table } from '@rowhouse/schema-model';
import { alterTable, quoteName, quoteNames, quoteText } from '../sql-text.js';
import { changedColumnText, newColumnText, toSqlType } from './column-text.js';
import { EditError, findColumn, findKnown, findTable, type EditScope } from './edit-scope.js';
import type { ColumnChange, EditFault, NewColumn, Reference, SchemaEdit } from './edit-types.js';
import { findJoinedColumns } from './joined-columns.js';

/**
 * Returns the SQL statements for these edits of a draft schema, in order. Only names and forms are checked
 * here. The database server validates the statements. For a table that an earlier edit creates or renames,
 * later edits know only the name.
 */
export function editsToSql(
  schema: Snapshot,
  edits: readonly SchemaEdit[],
): { sql: string[]; faults: EditFault[] } {
  const sql: string[] = [];
  const faults: EditFault[] = [];
  const fresh = new Set<string>();
  edits.forEach((edit, index) => {
    try {
      sql.push(...writeEdit({ schema, fresh }, edit));
      for (const name of namesMadeBy(edit)) fresh.add(name);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      faults.push({
        edit: index,
        member: error.member,
        message: error.message,
        given: error.given,
        known: error.known,
      });
    }
  });
  return { sql, faults };
}

function namesMadeBy(edit: SchemaEdit): string[] {
  switch (edit.kind) {
    case 'create_table':
      return [edit.table];
    case 'rename_table':
      return [edit.to];
    case 'add_column':
      return [`${edit.table}.${edit.column.name}`];
    case 'rename_column':
      return [`${edit.table}.${edit.to}`];
    case 'change_column':
      return edit.to.name === undefined ? [] : [`${edit.table}.${edit.to.name}`];
    default:
      return [];
  }
}

function writeEdit(scope: EditScope, edit: SchemaEdit): string[] {
  switch (edit.kind) {
    case 'create_table':
      return [createTable(scope, edit)];
    case 'create_view':
      return [`CREATE VIEW ${quoteName(edit.view)} AS ${edit.select}`];
    case 'drop_view':
      return [`DROP VIEW ${quoteName(edit.view)}`];
    default:
      findTable(scope, edit.table);
  }
  switch (edit.kind) {
    case 'drop_table':
      return [`DROP TABLE ${quoteName(edit.table)}`];
    case 'rename_table':
      return alter(edit.table, `RENAME TO ${quoteName(edit.to)}`);
    case 'set_comment':
      return alter(edit.table, `COMMENT = ${quoteText(edit.comment)}`);
    case 'add_column':
      return addColumn(scope, edit.table, edit.column, edit.after);
    case 'change_column':
      return changeColumn(scope, edit.table, edit.column, edit.to, edit.after);
    case 'rename_column':
      findColumn(scope, edit.table, edit.column, 'column');
      return alter(edit.table, `RENAME COLUMN ${quoteName(edit.column)} TO ${quoteName(edit.to)}`);
    case 'drop_column':
      findColumn(scope, edit.table, edit.column, 'column');
      return alter(edit.table, `DROP COLUMN ${quoteName(edit.column)}`);
    case 'set_primary_key':
      return setPrimaryKey(scope, edit.table, edit.columns);
    case 'add_index':
      return addIndex(scope, edit);
    case 'drop_index':
      return dropNamed(scope, edit, 'index', (table) => table.indexes, 'DROP KEY');
    case 'add_foreign_key':
      for (const column of edit.columns) findColumn(scope, edit.table, column, 'columns');
      return alter(edit.table, `ADD ${keyText(scope, edit.table, edit.columns, edit.references, edit.name)}`);
    case 'drop_foreign_key':
      return dropNamed(scope, edit, 'foreign key', (table) => table.foreignKeys, 'DROP FOREIGN KEY');
    case 'add_check':
      return alter(
        edit.table,
        `ADD CONSTRAINT ${quoteName(edit.name ?? freeName(scope, edit.table, `${edit.table}_check`))} CHECK (${edit.expression})`,
      );
    case 'drop_check':
      return dropNamed(scope, edit, 'check', (table) => table.checks, 'DROP CONSTRAINT');
  }
}

function alter(table: string, ...specs: string[]): string[] {
  const sql = alterTable(table, specs);
  return sql === null ? [] : [sql];
}

function typeOf(column: Pick<NewColumn, 'type'>): string {
  const type = toSqlType(column.type);
  if (type === null) throw new EditError('type', `Unknown type ${column.type}.`);
  return type;
}

function createTable(scope: EditScope, edit: Extract<SchemaEdit, { kind: 'create_table' }>): string {
  if (edit.columns.length === 0) throw new EditError('columns', 'A table must have at least one column.', []);
  const lines = edit.columns.map(
    (column) => `${quoteName(column.name)} ${newColumnText(column, typeOf(column))}`,
  );
  const primary =
    edit.primary_key ??
    edit.columns.filter((column) => column.auto_increment === true).map((column) => column.name);
  if (primary.length > 0) lines.push(`PRIMARY KEY (${quoteNames(primary)})`);
  const keyNames: string[] = [];
  for (const column of edit.columns) {
    if (column.unique === true)
      lines.push(`UNIQUE KEY ${quoteName(column.name)} (${quoteName(column.name)})`);
    if (column.references === undefined) continue;
    keyNames.push(freeName(scope, edit.table, `${edit.table}_${column.name}_fk`, keyNames));
    lines.push(foreignKeyText([column.name], column.references, keyNames.at(-1) ?? ''));
  }
  const comment =
    edit.comment === undefined || edit.comment === '' ? '' : ` COMMENT = ${quoteText(edit.comment)}`;
  return `CREATE TABLE ${quoteName(edit.table)} (\n  ${lines.join(',\n  ')}\n)${comment}`;
}

function locationText(scope: EditScope, table: string, after: string | null | undefined): string {
  if (after === undefined) return '';
  if (after === null) return ' FIRST';
  findColumn(scope, table, after, 'after');
  return ` AFTER ${quoteName(after)}`;
}

function addColumn(
  scope: EditScope,
  table: string,
  column: NewColumn,
  after: string | null | undefined,
): string[] {
  const specs = [
    `ADD COLUMN ${quoteName(column.name)} ${newColumnText(column, typeOf(column))}${locationText(scope, table, after)}`,
  ];
  if (column.unique === true)
    specs.push(
      `ADD UNIQUE KEY ${quoteName(freeName(scope, table, column.name))} (${quoteName(column.name)})`,
    );
  if (column.references !== undefined)
    specs.push(`ADD ${keyText(scope, table, [column.name], column.references, undefined)}`);
  return alter(table, ...specs);
}

function changeColumn(
  scope: EditScope,
  table: string,
  name: string,
  change: ColumnChange,
  after: string | null | undefined,
): string[] {
  const column = findColumn(scope, table, name, 'column');
  if (column === null)
    throw new EditError(
      'column',
      `Another edit in this list creates ${table}.${name}. Change that edit instead.`,
    );
  const type = change.type === undefined ? null : typeOf({ type: change.type });
  const renamed = change.name === undefined || change.name === name ? null : change.name;
  const text = `${changedColumnText(column, change, type)}${locationText(scope, table, after)}`;
  const own =
    renamed === null
      ? `MODIFY COLUMN ${quoteName(name)} ${text}`
      : `CHANGE COLUMN ${quoteName(name)} ${quoteName(renamed)} ${text}`;
  const statements =
    type === null || type === column.sqlType
      ? alter(table, own)
      : changeJoined(scope, { table, name, type, own });
  if (change.unique === true && !isUnique(findKnown(scope, table), name))
    statements.push(
      ...alter(
        table,
        `ADD UNIQUE KEY ${quoteName(freeName(scope, table, renamed ?? name))} (${quoteName(renamed ?? name)})`,
      ),
    );
  if (change.references !== undefined)
    statements.push(
      ...alter(table, `ADD ${keyText(scope, table, [renamed ?? name], change.references, undefined)}`),
    );
  return statements;
}

/**
 * Returns the statements that change a column together with all columns that foreign keys join to it. They
 * drop the foreign keys, change the columns and add the foreign keys again.
 */
function changeJoined(
  scope: EditScope,
  what: { readonly table: string; readonly name: string; readonly type: string; readonly own: string },
): string[] {
  const { columns, keys } = findJoinedColumns(scope.schema, { table: what.table, column: what.name });
  const others = columns.filter((at) => at.table !== what.table || at.column !== what.name);
  return [
    ...keys.flatMap(({ table, key }) => alter(table, `DROP FOREIGN KEY ${quoteName(key.name)}`)),
    ...alter(what.table, what.own),
    ...others.flatMap((at) => {
      const column = findColumn(scope, at.table, at.column, 'column');
      return column === null
        ? []
        : alter(
            at.table,
            `MODIFY COLUMN ${quoteName(at.column)} ${changedColumnText(column, {}, what.type)}`,
          );
    }),
    ...keys.flatMap(({ table, key }) => alter(table, `ADD ${key.definition}`)),
  ];
}

function isUnique(table: Table | null, column: string): boolean {
  return (
    table?.indexes.some(
      (index) => index.unique && index.columns.length === 1 && index.columns[0]?.name === column,
    ) ?? false
  );
}

function setPrimaryKey(scope: EditScope, name: string, columns: readonly string[]): string[] {
  const table = findKnown(scope, name);
  for (const column of columns) findColumn(scope, name, column, 'columns');
  const specs = table?.primaryKey === null || table === null ? [] : ['DROP PRIMARY KEY'];
  if (columns.length > 0) specs.push(`ADD PRIMARY KEY (${quoteNames(columns)})`);
  return alter(name, ...specs);
}

function addIndex(scope: EditScope, edit: Extract<SchemaEdit, { kind: 'add_index' }>): string[] {
  for (const column of edit.columns) findColumn(scope, edit.table, column, 'columns');
  const word = { plain: 'KEY', unique: 'UNIQUE KEY', fulltext: 'FULLTEXT KEY', spatial: 'SPATIAL KEY' }[
    edit.type ?? 'plain'
  ];
  const name = edit.name ?? freeName(scope, edit.table, edit.columns.join('_'));
  return alter(edit.table, `ADD ${word} ${quoteName(name)} (${quoteNames(edit.columns)})`);
}

function dropNamed(
  scope: EditScope,
  edit: { readonly table: string; readonly name: string },
  word: string,
  list: (table: Table) => readonly { readonly name: string }[],
  verb: string,
): string[] {
  const known = findKnown(scope, edit.table);
  const names = known === null ? null : list(known).map((entry) => entry.name);
  if (names !== null && !names.includes(edit.name))
    throw new EditError('name', `${edit.table} has no ${word} ${edit.name}.`, names, edit.name);
  return alter(edit.table, `${verb} ${quoteName(edit.name)}`);
}

function keyText(
  scope: EditScope,
  table: string,
  columns: readonly string[],
  reference: Reference,
  name: string | undefined,
): string {
  findTable(scope, reference.table, 'references');
  return foreignKeyText(
    columns,
    reference,
    name ?? freeName(scope, table, `${table}_${columns.join('_')}_fk`),
  );
}

function foreignKeyText(columns: readonly string[], reference: Reference, name: string): string {
  const target = reference.columns ?? ['id'];
  const action = (word: string, value: string | undefined): string =>
    value === undefined ? '' : ` ON ${word} ${value.toUpperCase()}`;
  return `CONSTRAINT ${quoteName(name)} FOREIGN KEY (${quoteNames(columns)}) REFERENCES ${quoteName(reference.table)} (${quoteNames(target)})${action('DELETE', reference.on_delete)}${action('UPDATE', reference.on_update)}`;
}

/**
 * Returns a constraint name that is used neither in the schema nor in `others`. Such names must be unique in
 * the whole database.
 */
function freeName(scope: EditScope, table: string, input: string, others: readonly string[] = []): string {
  const named = scope.schema.tables.flatMap((entry) =>
    [...entry.foreignKeys, ...entry.checks, ...(entry.name === table ? entry.indexes : [])].map(
      (item) => item.name,
    ),
  );
  const taken = new Set([...named, ...others].map((name) => name.toLowerCase()));
  const base = input.slice(0, 60);
  if (!taken.has(base.toLowerCase())) return base;
  for (let number = 2; ; number += 1)
    if (!taken.has(`${base}${number}`.toLowerCase())) return `${base}${number}`;
}
