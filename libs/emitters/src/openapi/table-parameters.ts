import {
  type CompiledColumn,
  type CompiledTable,
  FILTER_OPERATORS,
  type FilterOperator,
  FILTERS_PARAMETER,
  findCreatedColumn,
  QUERY_CONTROLS,
  quoteName,
  RESERVED_OPERATORS,
} from '@rowhouse/schema-model';
import { isFitName } from './member-names.js';
import { refTo, type Json, type JsonObject, type OpenApiOptions } from './openapi-types.js';
import { readableRelationships } from './table-schemas.js';
import { toColumnSchema, toValueSchema } from './to-column-schema.js';

const CONTROLS: ReadonlySet<string> = new Set(QUERY_CONTROLS);

const PLAIN_NAME = /^(?:[A-Za-z0-9_$\u0080-\uffff]|-(?!>))+$/;

/**
 * Suffixes of column names that are also operators. To filter by such a column, an explicit operator is
 * needed.
 */
const TAILS: ReadonlySet<string> = new Set([...FILTER_OPERATORS, ...RESERVED_OPERATORS]);
const TEXT_KINDS: ReadonlySet<string> = new Set(['string', 'enum', 'set', 'uuid', 'inet']);
/** The kinds of columns that filters can only compare with NULL. */
const INCOMPARABLE: ReadonlySet<string> = new Set(['json', 'vector', 'geometry']);

/** Emits all parameters of `GET /{table}`. */
export function emitListParameters(table: CompiledTable, options: OpenApiOptions): readonly JsonObject[] {
  return [
    refTo('parameters', 'page'),
    refTo('parameters', options.settings.require_limit ? 'limitRequired' : 'limit'),
    refTo('parameters', 'sort'),
    refTo('parameters', 'order'),
    ...emitInclude(table),
    ...emitCreatedAfter(table),
    refTo('parameters', 'select'),
    refTo('parameters', 'omit'),
    refTo('parameters', 'offset'),
    ...(table.kind === 'view' || table.rowKey === null ? [] : [refTo('parameters', 'cursor')]),
    refTo('parameters', 'distinct'),
    refTo('parameters', 'aggregate'),
    refTo('parameters', 'group'),
    refTo('parameters', 'having'),
    refTo('parameters', 'count'),
    ...withClearNames(
      visibleColumns(table)
        .filter(({ name }) => isFitName(name))
        .flatMap((column) => emitFilters(column)),
    ),
    refTo('parameters', 'filters'),
    refTo('parameters', 'filter'),
    refTo('parameters', 'where'),
    ...emitFullText(table),
    ...(table.kind === 'view' ? [] : [refTo('parameters', 'explain')]),
    refTo('parameters', 'preferRead'),
  ];
}

/** Emits all parameters of `GET /{table}/{id}` except the key. */
export function emitReadParameters(table: CompiledTable): readonly JsonObject[] {
  return [
    ...emitInclude(table),
    refTo('parameters', 'select'),
    refTo('parameters', 'omit'),
    refTo('parameters', 'ifNoneMatch'),
    refTo('parameters', 'preferRead'),
  ];
}

/**
 * Emits the path parameter for a record's key. It is called `uuid` if a UUID is accepted in addition to a
 * numeric key.
 */
export function emitKeyParameter(table: CompiledTable): JsonObject {
  const rowKey = table.rowKey ?? [];
  const [only] = rowKey;
  const common = { name: toKeyName(table), in: 'path', required: true } as const;
  if (rowKey.length === 1 && only !== undefined) {
    if (table.uuidKey === null)
      return { ...common, description: `The ${only.name} of the record.`, schema: toPathSchema(only) };
    return {
      ...common,
      description: `The UUID of the record, or its ${only.name}.`,
      schema: { type: 'string' },
    };
  }
  const names = rowKey.map((column) => column.name);
  return {
    ...common,
    style: 'simple',
    explode: false,
    description: `The values of the key, separated by commas, in the order ${names.join(', ')}.`,
    schema: {
      type: 'array',
      ...toKeyItems(rowKey.map(toPathSchema)),
      minItems: names.length,
      maxItems: names.length,
    },
  };
}

export function toKeyName(table: CompiledTable): 'uuid' | 'id' {
  return table.uuidKey === null ? 'id' : 'uuid';
}

function visibleColumns(table: CompiledTable): readonly CompiledColumn[] {
  return table.columns.filter((column) => !column.hidden);
}

function emitInclude(table: CompiledTable): readonly JsonObject[] {
  const names = readableRelationships(table).map((relationship) => relationship.name);
  if (names.length === 0) return [];
  const description =
    `Related records to embed, separated by commas: ${names.join(', ')}. Use dots for nested ` +
    'relationships, and count:{name} for the number of related records. Each has options, such ' +
    `as include[${names[0] ?? ''}][limit].`;
  return [{ name: 'include', in: 'query', description, schema: { type: 'string' } }];
}

export function emitCreatedAfter(table: CompiledTable): readonly JsonObject[] {
  return findCreatedColumn(table) === null ? [] : [refTo('parameters', 'createdAfter')];
}

/** Emits `_q`, which searches every visible FULLTEXT index of the table. */
export function emitFullText(table: CompiledTable): readonly JsonObject[] {
  return table.indexes.some((index) => index.kind === 'fulltext') ? [refTo('parameters', 'search')] : [];
}

const EQUALS = 'Equals.';

/** The names that client generators derive from the parameters of every list. */
const TAKEN: readonly string[] = [...QUERY_CONTROLS, FILTERS_PARAMETER, 'prefer'].map(toCodeName);

/**
 * Renames or omits filters whose names would be equal in generated code, or equal to that of a control. For
 * example, `count` would equal `_count`, and becomes `count__eq`. A filter is omitted if its name is still
 * not unique, such as `foo_bar__like` and `fooBar__like`, or if it has no Latin letter. Such filters can
 * still be sent in `filters`.
 */
function withClearNames(filters: readonly JsonObject[]): readonly JsonObject[] {
  const taken = new Set(TAKEN);
  return filters.flatMap((filter) => {
    const name = typeof filter['name'] === 'string' ? filter['name'] : '';
    const clear = (name.endsWith('__eq') ? [name] : [name, `${name}__eq`]).find(
      (key) => !taken.has(toCodeName(key)),
    );
    if (
      toCodeName(name) === '' ||
      clear === undefined ||
      (clear !== name && filter['description'] !== EQUALS)
    )
      return [];
    taken.add(toCodeName(clear));
    return [{ ...filter, name: clear }];
  });
}

/**
 * Returns the name that client generators derive from a parameter: its ASCII letters and digits in lower
 * case.
 */
function toCodeName(name: string): string {
  return name
    .replace(/[^A-Za-z0-9]+/g, '')
    .replace(/^[0-9]+/, '')
    .toLowerCase();
}

function emitFilters(column: CompiledColumn): readonly JsonObject[] {
  if (INCOMPARABLE.has(column.valueKind)) {
    return [emitFilter(toFilterKey(column, 'isnull'), 'Is null.', { type: 'boolean' })];
  }
  const plain = emitFilter(toFilterKey(column), EQUALS, toFilterSchema(column));
  // The labels of a SET column are sent as one parameter, separated by commas.
  const equality = column.valueKind === 'set' ? { ...plain, style: 'form', explode: false } : plain;
  if (!TEXT_KINDS.has(column.valueKind)) return [equality];
  return [
    equality,
    emitFilter(toFilterKey(column, 'like'), 'Matches a LIKE pattern with % and _.', { type: 'string' }),
  ];
}

function emitFilter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', description, schema };
}

/**
 * Returns a column's schema for filters. It has no bounds or formats for text columns, because these apply
 * only to stored values.
 */
function toFilterSchema(column: CompiledColumn): JsonObject {
  if (column.valueKind === 'set' || column.valueKind === 'year') return toValueSchema(column);
  const { type, enum: labels, format, pattern, contentEncoding } = toValueSchema(column);
  const retained = {
    ...(type !== 'string' || column.valueKind === 'string' || format === undefined ? {} : { format }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
  };
  return { type: type ?? 'string', ...(labels === undefined ? {} : { enum: labels }), ...retained };
}

/**
 * Returns the schemas of a key's parts as `prefixItems`. For readers that do not support this keyword,
 * `items` allows any of them.
 */
function toKeyItems(parts: readonly JsonObject[]): JsonObject {
  const kinds = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  return { prefixItems: parts, items: kinds.length === 1 ? (kinds[0] ?? {}) : { anyOf: kinds } };
}

/**
 * Returns the schema of a key in a path. The key must not be empty, because a path must not end with an empty
 * segment.
 */
function toPathSchema(column: CompiledColumn): JsonObject {
  const schema = withoutNull(toColumnSchema(column));
  return column.valueKind === 'string' ? { ...schema, minLength: 1 } : schema;
}

function withoutNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  return { ...schema, type: (type as readonly Json[]).find((item) => item !== 'null') ?? 'string' };
}

/**
 * Returns the name of the query parameter that filters by a column, such as `status`, `limit__eq`, `` `odd
 * name` `` or `title__like`.
 */
function toFilterKey(column: CompiledColumn, operator: FilterOperator = 'eq'): string {
  const { name } = column;
  if (!PLAIN_NAME.test(name)) {
    const quoted = quoteName(name);
    return operator === 'eq' ? quoted : `${quoted}__${operator}`;
  }
  return operator === 'eq' && !needsOperator(name) ? name : `${name}__${operator}`;
}

function needsOperator(name: string): boolean {
  const cutIndex = name.lastIndexOf('__');
  return CONTROLS.has(name) || name.startsWith('_') || (cutIndex > 0 && TAILS.has(name.slice(cutIndex + 2)));
}
