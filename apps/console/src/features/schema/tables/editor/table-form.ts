import type { TableStructureResponse } from '@rowhouse/contracts';

/**
 * A table that is being edited. `from` is the name of the table or part in the draft, or null for a new one.
 * Parts refer to columns by `key`, so that renaming a column does not break the reference.
 */
export interface TableForm {
  readonly from: string | null;
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly ColumnForm[];
  /** The keys of the columns in the primary key, in order. */
  readonly primaryKey: readonly string[];
  readonly indexes: readonly IndexForm[];
  readonly foreignKeys: readonly ForeignKeyForm[];
  readonly checks: readonly CheckForm[];
}

interface PartForm {
  readonly key: string;
  readonly from: string | null;
  readonly name: string;
  readonly isDropped: boolean;
}

export type DefaultKind = 'none' | 'null' | 'literal' | 'expression';

export interface ColumnForm extends PartForm {
  readonly type: string;
  readonly nullable: boolean;
  readonly defaultKind: DefaultKind;
  readonly defaultText: string;
  readonly autoIncrement: boolean;
  readonly unique: boolean;
  readonly comment: string;
  /** Whether the database computes the column. Only its name and position are editable here. */
  readonly isGenerated: boolean;
}

export type IndexType = 'plain' | 'unique' | 'fulltext' | 'spatial';

export interface IndexForm extends PartForm {
  readonly type: IndexType;
  readonly columns: readonly string[];
  /** Whether the part has a kind or details that are not editable here, such as expressions or vectors. */
  readonly isFixed: boolean;
}

export interface ForeignKeyForm extends PartForm {
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

export interface CheckForm extends PartForm {
  readonly expression: string;
}

/**
 * Returns the form of a table in the draft. A unique index on a single column becomes a property of that
 * column.
 */
export function toTableForm(table: TableStructureResponse): TableForm {
  const columns = table.columns.map((column): ColumnForm => ({
    key: column.name,
    from: column.name,
    name: column.name,
    isDropped: false,
    type: column.type,
    nullable: column.nullable,
    defaultKind: column.default.kind,
    defaultText: 'text' in column.default ? column.default.text : '',
    autoIncrement: column.auto_increment,
    unique: column.unique,
    comment: column.comment,
    isGenerated: column.generated !== null,
  }));
  return {
    from: table.name,
    name: table.name,
    comment: table.comment,
    columns,
    primaryKey: [...table.primary_key],
    indexes: table.indexes
      .filter((index) => !isColumnUnique(index))
      .map((index): IndexForm => ({
        key: index.name,
        from: index.name,
        name: index.name,
        isDropped: false,
        type: index.type === 'vector' ? 'plain' : index.type,
        columns: [...index.columns],
        isFixed: index.type === 'vector' || index.columns.includes('(expression)'),
      })),
    foreignKeys: table.foreign_keys.map((key): ForeignKeyForm => ({
      key: key.name,
      from: key.name,
      name: key.name,
      isDropped: false,
      columns: [...key.columns],
      to: key.to,
      toColumns: [...key.to_columns],
      onDelete: key.on_delete,
      onUpdate: key.on_update,
    })),
    checks: table.checks.map((check): CheckForm => ({
      key: check.name,
      from: check.name,
      name: check.name,
      isDropped: false,
      expression: check.expression,
    })),
  };
}

/** Returns whether the only purpose of an index is to make one column unique. */
export function isColumnUnique(index: TableStructureResponse['indexes'][number]): boolean {
  return index.type === 'unique' && index.columns.length === 1;
}

/** Returns the form of a new table, which has an auto-increment id. */
export function makeNewTable(): TableForm {
  const id: ColumnForm = {
    ...makeColumn('id'),
    name: 'id',
    type: 'int',
    autoIncrement: true,
    nullable: false,
  };
  return {
    from: null,
    name: '',
    comment: '',
    columns: [id],
    primaryKey: ['id'],
    indexes: [],
    foreignKeys: [],
    checks: [],
  };
}

export function makeColumn(key: string): ColumnForm {
  return {
    key,
    from: null,
    name: '',
    isDropped: false,
    type: 'varchar(200)',
    nullable: true,
    defaultKind: 'none',
    defaultText: '',
    autoIncrement: false,
    unique: false,
    comment: '',
    isGenerated: false,
  };
}

/** Returns the key of a new part. It contains a space, so that it never equals the name of a part. */
export function makeKey(form: TableForm): string {
  const used = new Set(
    [...form.columns, ...form.indexes, ...form.foreignKeys, ...form.checks].map((part) => part.key),
  );
  for (let number = 1; ; number += 1) if (!used.has(`new ${number}`)) return `new ${number}`;
}

/**
 * Parses the default that the user typed. A well-known function becomes an expression, and any other text
 * becomes a value.
 */
export function readTypedDefault(text: string): { defaultKind: DefaultKind; defaultText: string } {
  if (text === '') return { defaultKind: 'none', defaultText: '' };
  if (/^null$/i.test(text)) return { defaultKind: 'null', defaultText: '' };
  if (
    /^(current_timestamp|now|uuid|utc_timestamp|curdate|current_date)\s*(\(\d*\))?$/i.test(text) ||
    /^\(.*\)$/s.test(text)
  )
    return { defaultKind: 'expression', defaultText: text };
  return { defaultKind: 'literal', defaultText: text };
}

export function showDefault(column: Pick<ColumnForm, 'defaultKind' | 'defaultText'>): string {
  return column.defaultKind === 'null' ? 'NULL' : column.defaultText;
}

/** Letters of any script, digits and underscores, so that paths and queries need no escapes or quotes. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;

/**
 * Returns a hint if a new name needs an escape in each URL and quotes in each query. Returns null for a plain
 * name, and for a stored name, because renaming it would break its callers.
 */
export function describeName(name: string, stored: string | null): string | null {
  if (name === '' || name === stored || PLAIN_NAME.test(name)) return null;
  return `Allowed, but you’ll write \`${name}\` in quotes in SQL. Consider ${toPlainName(name)}.`;
}

/** Returns the closest plain name, such as `bad_name` for `Bad Name!`. */
function toPlainName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return /^[\p{L}_]/u.test(plain) ? plain : `t_${plain}`;
}

/** Returns the reasons why a form cannot be previewed, as texts. The database checks everything else. */
export function findFormFaults(form: TableForm): string[] {
  const faults: string[] = [];
  const columns = form.columns.filter((column) => !column.isDropped);
  if (form.name.trim() === '') faults.push('The table needs a name.');
  if (columns.length === 0) faults.push('The table needs at least one column.');
  if (columns.some((column) => column.name.trim() === '')) faults.push('Every column needs a name.');
  if (columns.some((column) => column.type.trim() === '')) faults.push('Every column needs a type.');
  const seen = new Set<string>();
  for (const { name } of columns) {
    const lower = name.toLowerCase();
    if (name !== '' && seen.has(lower)) faults.push(`Two columns are named ${name}.`);
    seen.add(lower);
  }
  if (form.indexes.some((index) => !index.isDropped && index.columns.length === 0))
    faults.push('An index needs at least one column.');
  if (
    form.foreignKeys.some(
      (key) =>
        !key.isDropped &&
        (key.to === '' || key.columns.length === 0 || key.columns.length !== key.toColumns.length),
    )
  )
    faults.push('A foreign key needs a table and one referenced column per column.');
  if (form.checks.some((check) => !check.isDropped && check.expression.trim() === ''))
    faults.push('A check needs an expression.');
  return faults;
}
