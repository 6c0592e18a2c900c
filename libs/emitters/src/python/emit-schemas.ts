import { isFilledUuid, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import { toCall, toPythonString, type PythonImports, type PythonOptions } from './python-text.js';
import { LIMITED_BYTES, toFieldBounds } from './to-field-bounds.js';
import type { PythonTableNames } from './to-python-names.js';
import { toSchemaType } from './to-value-type.js';

interface Scope {
  readonly table: CompiledTable;
  readonly names: PythonTableNames;
  readonly options: PythonOptions;
  readonly imports: PythonImports;
}

/**
 * Emits the Pydantic classes of one table: two classes for the body of a create, one for the body of an
 * update, and one for the record.
 */
export function emitSchemas(scope: Scope): string[] {
  const { table, names, imports } = scope;
  const generated = `Generated${names.one}`;
  const read = emitClass(
    `${generated}Read`,
    imports.name('.base', 'Schema'),
    `A row of ${table.name} as returned by reads.`,
    table.shown.map((column) => emitRead(scope, column)),
  );
  if (table.kind === 'view') return [read];
  const writable = table.columns.filter((column) => column.generated === null && !column.invisible);
  const [left, reported] = [
    writable.filter(isLeftToDatabase),
    writable.filter((column) => !isLeftToDatabase(column)),
  ];
  const write = imports.name('.base', 'WriteSchema');
  const changed = writable.filter((column) => table.rowKey?.some((key) => key.name === column.name) !== true);
  return [
    emitClass(
      `${generated}Base`,
      write,
      `The columns of a new row of ${table.name} without those that the database fills.`,
      reported.map((column) => emitBase(scope, column)),
    ),
    emitClass(
      `${generated}Create`,
      `${generated}Base`,
      `A new row of ${table.name}. The database fills omitted columns.`,
      left.map((column) => emitLeft(scope, column)),
    ),
    emitClass(
      `${generated}Update`,
      write,
      `Changes to a row of ${table.name}. Omitted columns keep their values.`,
      changed.map((column) => emitLeft(scope, column)),
    ),
    read,
  ];
}

/** Reports whether the engine or the data API determines the value if a create omits the column. */
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

/**
 * Emits a field with a literal default. If Python cannot express the default, the database determines the
 * value.
 */
function emitBase(scope: Scope, column: CompiledColumn): string {
  const value = toDefaultValue(column, scope.imports);
  if (value !== null)
    return emitField(scope, column, {
      isWritten: true,
      isNullable: column.nullable,
      fallback: `default=${value}`,
    });
  if (column.default.kind === 'literal' && !column.required) return emitLeft(scope, column);
  return emitField(scope, column, {
    isWritten: true,
    isNullable: column.nullable,
    fallback: column.nullable && !column.required ? 'default=None' : null,
  });
}

/**
 * Emits a field whose value the database determines if it is omitted. For a column that is not nullable, the
 * field's default bypasses validation, and the field counts as not set.
 */
function emitLeft(scope: Scope, column: CompiledColumn): string {
  const fallback = column.nullable
    ? 'default=None'
    : `default_factory=${scope.imports.name('.base', 'unset')}`;
  return emitField(scope, column, { isWritten: true, isNullable: column.nullable, fallback });
}

interface FieldShape {
  /** Whether the field gets the bounds of its column. Only written values are checked. */
  readonly isWritten: boolean;
  readonly isNullable: boolean;
  readonly fallback: string | null;
}

function emitField(
  { names, options, imports }: Scope,
  column: CompiledColumn,
  { isWritten, isNullable, fallback }: FieldShape,
): string {
  const attribute = names.columns.get(column.name) ?? column.name;
  const bounds = isWritten ? toFieldBounds(column, options.pydantic, imports) : [];
  const isLimited =
    isWritten && options.pydantic === '1' && LIMITED_BYTES.includes(column.type) && column.maxLength !== null;
  const type = isLimited
    ? `${imports.name('.base', 'limited_bytes')}(${column.maxLength ?? 0})`
    : toSchemaType(column, names.labels.get(column.name), imports);
  const annotation = isNullable && type !== 'Any' ? `${type} | None` : type;
  const args = [
    ...(fallback === null ? [] : [fallback]),
    ...toAliases(attribute, column.name, options, imports),
    ...bounds,
  ];
  const plain =
    fallback?.startsWith('default=') === true && args.length === 1 ? fallback.slice('default='.length) : null;
  if (plain !== null) return `${attribute}: ${annotation} = ${plain}`;
  // In Pydantic 1, a field of type Any or Optional has the default None unless it is marked as required.
  const isBare = options.pydantic === '1' && fallback === null;
  if (args.length === 0 && !(isBare && (isNullable || type === 'Any'))) return `${attribute}: ${annotation}`;
  return `${attribute}: ${annotation} = ${toCall(imports.name('pydantic', 'Field'), isBare ? ['...', ...args] : args, 4)}`;
}

/**
 * Returns the aliases of a field. The attribute's name comes first, because the attribute `metadata` of a
 * SQLAlchemy object has another meaning.
 */
function toAliases(
  attribute: string,
  name: string,
  options: PythonOptions,
  imports: PythonImports,
): string[] {
  if (attribute === name) return [];
  if (options.pydantic === '1') return [`alias=${toPythonString(name)}`];
  return [
    `validation_alias=${imports.name('pydantic', 'AliasChoices')}(${toPythonString(attribute)}, ${toPythonString(name)})`,
    `serialization_alias=${toPythonString(name)}`,
  ];
}

/** Returns a literal default in Python. Returns null if only the database can evaluate the default. */
function toDefaultValue(column: CompiledColumn, imports: PythonImports): string | null {
  if (column.default.kind !== 'literal') return null;
  const { text } = column.default;
  switch (column.valueKind) {
    case 'integer':
    case 'year':
      return /^-?\d{1,20}$/.test(text) ? String(BigInt(text)) : null;
    case 'boolean':
      return toBoolean(text);
    case 'decimal':
      return /^-?\d+(?:\.\d+)?$/.test(text)
        ? `${imports.name('decimal', 'Decimal')}(${toPythonString(text)})`
        : null;
    case 'float':
    case 'double':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? toFloat(text) : null;
    case 'string':
      return toPythonString(text);
    case 'enum':
      return column.labels?.includes(text) === true ? toPythonString(text) : null;
    default:
      return null;
  }
}

function toBoolean(text: string): string | null {
  if (/^(?:1|b'1')$/.test(text)) return 'True';
  return /^(?:0|b'0')$/.test(text) ? 'False' : null;
}

function toFloat(text: string): string {
  return text.includes('.') ? text : `${text}.0`;
}
