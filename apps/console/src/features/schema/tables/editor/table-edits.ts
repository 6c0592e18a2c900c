import type { SchemaEditsRequest } from '@rowhouse/contracts';
import type { ColumnForm, ForeignKeyForm, IndexForm, TableForm } from './table-form.js';

export type SchemaEdit = SchemaEditsRequest['edits'][number];
type NewColumn = Extract<SchemaEdit, { kind: 'add_column' }>['column'];
type ColumnChange = Extract<SchemaEdit, { kind: 'change_column' }>['to'];

/**
 * The names of unique indexes on a single column, by the name of the column. The form shows such an index as
 * a property of the column.
 */
export type UniqueNames = Readonly<Record<string, string>>;

/**
 * Returns the edits that change the table into what the form describes, in an order that the database
 * accepts. First, parts that depend on columns are dropped. Then the columns are put in their final order,
 * followed by the primary key and the other parts. The table is renamed last.
 */
export function listTableEdits(
  before: TableForm | null,
  form: TableForm,
  uniqueNames: UniqueNames = {},
): SchemaEdit[] {
  if (before === null) return listCreateEdits(form);
  const table = before.from ?? before.name;
  const leavers = form.columns.filter((column) => column.isDropped && column.from !== null);
  const inKey = (column: ColumnForm): boolean => before.primaryKey.includes(column.key);
  const drop = (column: ColumnForm): SchemaEdit => ({
    kind: 'drop_column',
    table,
    column: column.from ?? '',
  });
  return [
    ...listDroppedParts(table, before, form, uniqueNames),
    ...leavers.filter((column) => !inKey(column)).map(drop),
    ...listColumnEdits(table, before, form),
    ...listKeyEdits(table, before, form),
    ...leavers.filter(inKey).map(drop),
    ...listNewParts(table, before, form),
    ...(form.comment === before.comment
      ? []
      : [{ kind: 'set_comment' as const, table, comment: form.comment }]),
    ...(form.name === table || form.name === ''
      ? []
      : [{ kind: 'rename_table' as const, table, to: form.name }]),
  ];
}

function listCreateEdits(form: TableForm): SchemaEdit[] {
  const columns = form.columns.filter((column) => !column.isDropped);
  const create: SchemaEdit = {
    kind: 'create_table',
    table: form.name,
    columns: columns.map(toNewColumn),
    primary_key: toNames(form, form.primaryKey),
    ...(form.comment === '' ? {} : { comment: form.comment }),
  };
  return [create, ...listNewParts(form.name, null, form)];
}

/**
 * Lists the edits that drop parts of the table: those that the form removes, and those that are dropped and
 * created again because they changed.
 */
function listDroppedParts(
  table: string,
  before: TableForm,
  form: TableForm,
  uniqueNames: UniqueNames,
): SchemaEdit[] {
  const noLonger = before.columns.filter(
    (column) =>
      column.unique && form.columns.some((now) => now.key === column.key && !now.unique && !now.isDropped),
  );
  return [
    ...form.foreignKeys
      .filter((key) => isReplaced(before.foreignKeys, key, isSameKey))
      .map((key): SchemaEdit => ({ kind: 'drop_foreign_key', table, name: key.from ?? '' })),
    ...form.checks
      .filter((check) => isReplaced(before.checks, check, (a, b) => a.expression === b.expression))
      .map((check): SchemaEdit => ({ kind: 'drop_check', table, name: check.from ?? '' })),
    ...form.indexes
      .filter((index) => isReplaced(before.indexes, index, isSameIndex))
      .map((index): SchemaEdit => ({ kind: 'drop_index', table, name: index.from ?? '' })),
    ...noLonger.map((column): SchemaEdit => ({
      kind: 'drop_index',
      table,
      name: uniqueNames[column.key] ?? column.name,
    })),
  ];
}

function listNewParts(table: string, before: TableForm | null, form: TableForm): SchemaEdit[] {
  const isNew = <Part extends { from: string | null; key: string; name: string; isDropped: boolean }>(
    parts: readonly Part[],
    part: Part,
    isSame: (a: Part, b: Part) => boolean,
  ): boolean => !part.isDropped && (part.from === null || isReplaced(parts, part, isSame));
  const named = (name: string) => (name === '' ? {} : { name });
  return [
    ...form.indexes
      .filter((index) => isNew(before?.indexes ?? [], index, isSameIndex))
      .map((index): SchemaEdit => ({
        kind: 'add_index',
        table,
        columns: toNames(form, index.columns),
        ...named(index.name),
        type: index.type,
      })),
    ...form.foreignKeys
      .filter((key) => isNew(before?.foreignKeys ?? [], key, isSameKey))
      .map((key): SchemaEdit => ({
        kind: 'add_foreign_key',
        table,
        columns: toNames(form, key.columns),
        ...named(key.name),
        references: {
          table: key.to,
          columns: [...key.toColumns],
          on_delete: toAction(key.onDelete),
          on_update: toAction(key.onUpdate),
        },
      })),
    ...form.checks
      .filter((check) => isNew(before?.checks ?? [], check, (a, b) => a.expression === b.expression))
      .map((check): SchemaEdit => ({
        kind: 'add_check',
        table,
        expression: check.expression,
        ...named(check.name),
      })),
  ];
}

/** Returns whether an existing part is removed or has a different definition. */
function isReplaced<Part extends { from: string | null; key: string; name: string; isDropped: boolean }>(
  existing: readonly Part[],
  part: Part,
  isSame: (a: Part, b: Part) => boolean,
): boolean {
  if (part.from === null) return false;
  const was = existing.find((entry) => entry.key === part.key);
  return was !== undefined && (part.isDropped || part.name !== was.name || !isSame(was, part));
}

function isSameKey(a: ForeignKeyForm, b: ForeignKeyForm): boolean {
  return (
    JSON.stringify([a.columns, a.to, a.toColumns, a.onDelete, a.onUpdate]) ===
    JSON.stringify([b.columns, b.to, b.toColumns, b.onDelete, b.onUpdate])
  );
}

function isSameIndex(a: IndexForm, b: IndexForm): boolean {
  return JSON.stringify([a.columns, a.type]) === JSON.stringify([b.columns, b.type]);
}

/**
 * Lists the edits of columns in their final order, so that the column named in each `after` exists by then.
 */
function listColumnEdits(table: string, before: TableForm, form: TableForm): SchemaEdit[] {
  const staying = form.columns.filter((column) => !column.isDropped);
  const order = before.columns.map((column) => column.key);
  const moved = findMovedColumns(
    order,
    staying.filter((column) => column.from !== null).map((column) => column.key),
  );
  return staying.flatMap((column, index): SchemaEdit[] => {
    const previous = staying[index - 1]?.name ?? null;
    if (column.from === null)
      return [
        {
          kind: 'add_column',
          table,
          column: toNewColumn(column),
          ...(isAtEnd(staying, index) ? {} : { after: previous }),
        },
      ];
    const was = before.columns.find((entry) => entry.key === column.key);
    const location = moved.has(column.key) ? { after: previous } : {};
    const change = was === undefined ? {} : toChange(was, column);
    return listOneColumn(table, column, change, location);
  });
}

function listOneColumn(
  table: string,
  column: ColumnForm,
  change: ColumnChange,
  location: { after?: string | null },
): SchemaEdit[] {
  const names = Object.keys(change);
  if (names.length === 0 && location.after === undefined) return [];
  if (names.length === 1 && change.name !== undefined && location.after === undefined)
    return [{ kind: 'rename_column', table, column: column.from ?? '', to: change.name }];
  return [{ kind: 'change_column', table, column: column.from ?? '', to: change, ...location }];
}

/**
 * Returns whether only new columns follow in the list. They are added at the end of the table, so they need
 * no position.
 */
function isAtEnd(columns: readonly ColumnForm[], index: number): boolean {
  return columns.slice(index).every((column) => column.from === null);
}

function listKeyEdits(table: string, before: TableForm, form: TableForm): SchemaEdit[] {
  const requested = form.primaryKey.filter((key) =>
    form.columns.some((column) => column.key === key && !column.isDropped),
  );
  if (JSON.stringify(requested) === JSON.stringify(before.primaryKey)) return [];
  return [{ kind: 'set_primary_key', table, columns: toNames(form, requested) }];
}

function toChange(was: ColumnForm, column: ColumnForm): ColumnChange {
  const change: ColumnChange = {};
  if (column.name !== was.name) change.name = column.name;
  if (column.comment !== was.comment) change.comment = column.comment;
  if (column.isGenerated) return change;
  if (column.type.trim() !== was.type) change.type = column.type.trim();
  if (column.nullable !== was.nullable) change.nullable = column.nullable;
  if (column.autoIncrement !== was.autoIncrement) change.auto_increment = column.autoIncrement;
  if (column.unique && !was.unique) change.unique = true;
  if (column.defaultKind !== was.defaultKind || column.defaultText !== was.defaultText)
    Object.assign(change, column.defaultKind === 'none' ? { no_default: true } : toDefault(column));
  // A change to another kind of type would lose the default, so the edit sets the default again.
  else if (change.type !== undefined && column.defaultKind !== 'none')
    Object.assign(change, toDefault(column));
  return change;
}

function toNewColumn(column: ColumnForm): NewColumn {
  return {
    name: column.name,
    type: column.type.trim(),
    nullable: column.nullable,
    ...toDefault(column),
    ...(column.autoIncrement ? { auto_increment: true } : {}),
    ...(column.unique ? { unique: true } : {}),
    ...(column.comment === '' ? {} : { comment: column.comment }),
  };
}

function toDefault({
  defaultKind,
  defaultText,
}: ColumnForm): Pick<NewColumn, 'default' | 'default_expression'> {
  if (defaultKind === 'literal') return { default: defaultText };
  if (defaultKind === 'expression') return { default_expression: defaultText };
  return defaultKind === 'null' ? { default: null } : {};
}

function toNames(form: TableForm, keys: readonly string[]): string[] {
  return keys.flatMap(
    (key) => form.columns.find((column) => column.key === key && !column.isDropped)?.name ?? [],
  );
}

type Action = 'cascade' | 'set null' | 'restrict' | 'no action';

function toAction(text: string): Action {
  return text === 'cascade' || text === 'set null' || text === 'no action' ? text : 'restrict';
}

/**
 * Returns the columns that must be moved to change the order `before` into the order `after`. The number of
 * moves is as small as possible, because a move may copy the whole table. Columns that are in only one of the
 * lists are ignored.
 */
export function findMovedColumns(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const locations = after.map((name) => before.indexOf(name));
  const persisted = new Set(findLongestRise(locations).map((index) => after[index]));
  return new Set(after.filter((name) => !persisted.has(name)));
}

/** Returns the positions of a longest increasing subsequence. */
function findLongestRise(numbers: readonly number[]): number[] {
  const best: number[][] = [];
  let longest: number[] = [];
  numbers.forEach((number, index) => {
    let run: number[] = [];
    for (let earlier = 0; earlier < index; earlier += 1) {
      const before = best[earlier] as number[];
      if ((numbers[earlier] as number) < number && before.length > run.length) run = before;
    }
    best[index] = [...run, index];
    if (best[index].length > longest.length) longest = best[index];
  });
  return longest;
}
