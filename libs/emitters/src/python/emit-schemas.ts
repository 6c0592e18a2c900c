import { isFilledUuid, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import type { PythonOptions } from './python-options.js';
import { toCall, toPythonString, type PythonImports } from './python-text.js';
import { toDefaultValue } from './to-default-value.js';
import { LIMITED_BYTES, toFieldBounds } from './to-field-bounds.js';
import type { PythonTableNames } from './to-python-names.js';
import { toSchemaType } from './to-value-type.js';

interface Scope {
  readonly table: CompiledTable;
  readonly names: PythonTableNames;
  readonly options: PythonOptions;
  readonly imports: PythonImports;
}

/** The Pydantic classes of one table: what a create takes, in two steps, what an update takes, and what is read. */
export function emitSchemas(scope: Scope): string[] {
  const { table, names, imports } = scope;
  const generated = `Generated${names.one}`;
  const read = emitClass(`${generated}Read`, imports.name('.base', 'Schema'), `A record of ${table.name} as it is read.`, table.shown.map((column) => emitRead(scope, column)));
  if (table.kind === 'view') return [read];
  const writable = table.columns.filter((column) => column.generated === null && !column.invisible);
  const [left, told] = [writable.filter(isLeftToDatabase), writable.filter((column) => !isLeftToDatabase(column))];
  const write = imports.name('.base', 'WriteSchema');
  const changed = writable.filter((column) => table.rowKey?.some((key) => key.name === column.name) !== true);
  return [
    emitClass(`${generated}Base`, write, `What a new record of ${table.name} is made of.`, told.map((column) => emitBase(scope, column))),
    emitClass(`${generated}Create`, `${generated}Base`, `A new record of ${table.name}. The database fills what is left out.`, left.map((column) => emitLeft(scope, column))),
    emitClass(`${generated}Update`, write, `Columns of ${table.name} to change; those left out keep their values.`, changed.map((column) => emitLeft(scope, column))),
    read,
  ];
}

/** Assigned by the engine or the service, or computed at the moment of the write. */
function isLeftToDatabase(column: CompiledColumn): boolean {
  return column.autoIncrement || column.default.kind === 'expression' || isFilledUuid(column);
}

function emitClass(name: string, parent: string, about: string, fields: readonly string[]): string {
  const body = fields.length === 0 ? '' : `\n${fields.map((field) => `    ${field}\n`).join('')}`;
  return `class ${name}(${parent}):\n    ${toPythonString(about)}\n${body}`;
}

function emitRead(scope: Scope, column: CompiledColumn): string {
  return emitField(scope, column, { isWritten: false, isNullable: column.nullable, fallback: null });
}

/** A literal default is told; another one that cannot be told in Python is left to the database. */
function emitBase(scope: Scope, column: CompiledColumn): string {
  const value = toDefaultValue(column, scope.imports);
  if (value !== null) return emitField(scope, column, { isWritten: true, isNullable: column.nullable, fallback: `default=${value}` });
  if (column.default.kind === 'literal' && !column.required) return emitLeft(scope, column);
  return emitField(scope, column, { isWritten: true, isNullable: column.nullable, fallback: column.nullable && !column.required ? 'default=None' : null });
}

/** Where None is no value of the column, the default is one that no check sees: the field is simply not set. */
function emitLeft(scope: Scope, column: CompiledColumn): string {
  const fallback = column.nullable ? 'default=None' : `default_factory=${scope.imports.name('.base', 'unset')}`;
  return emitField(scope, column, { isWritten: true, isNullable: column.nullable, fallback });
}

interface FieldShape {
  /** Holds values to the column's bounds. */
  readonly isWritten: boolean;
  readonly isNullable: boolean;
  readonly fallback: string | null;
}

function emitField({ names, options, imports }: Scope, column: CompiledColumn, { isWritten, isNullable, fallback }: FieldShape): string {
  const attribute = names.columns.get(column.name) ?? column.name;
  const bounds = isWritten ? toFieldBounds(column, options.pydantic, imports) : [];
  const isLimited = isWritten && options.pydantic === '1' && LIMITED_BYTES.includes(column.type) && column.maxLength !== null;
  const type = isLimited ? `${imports.name('.base', 'limited_bytes')}(${column.maxLength ?? 0})` : toSchemaType(column, names.labels.get(column.name), imports);
  const annotation = isNullable && type !== 'Any' ? `${type} | None` : type;
  const args = [...(fallback === null ? [] : [fallback]), ...toAliases(attribute, column.name, options, imports), ...bounds];
  const plain = fallback?.startsWith('default=') === true && args.length === 1 ? fallback.slice('default='.length) : null;
  if (plain !== null) return `${attribute}: ${annotation} = ${plain}`;
  // Pydantic 1 gives a field of any type the default None unless it is told that there is none.
  const isBare = options.pydantic === '1' && fallback === null;
  if (args.length === 0 && !(isBare && (isNullable || type === 'Any'))) return `${attribute}: ${annotation}`;
  return `${attribute}: ${annotation} = ${toCall(imports.name('pydantic', 'Field'), isBare ? ['...', ...args] : args, 4)}`;
}

/** The attribute's own name is looked for first: `metadata` of a row of SQLAlchemy is something else. */
function toAliases(attribute: string, name: string, options: PythonOptions, imports: PythonImports): string[] {
  if (attribute === name) return [];
  if (options.pydantic === '1') return [`alias=${toPythonString(name)}`];
  return [`validation_alias=${imports.name('pydantic', 'AliasChoices')}(${toPythonString(attribute)}, ${toPythonString(name)})`, `serialization_alias=${toPythonString(name)}`];
}
