import { GEOMETRY_KINDS } from './geometry-schemas.js';
import { toSingular, type CompiledTable } from '@rowhouse/schema-model';

export interface SchemaNames {
  /** The singular, such as `PostTag`. Its request bodies are `PostTagCreate` and `PostTagUpdate`. */
  readonly one: string;
  /** The plural for operation ids, such as `PostTags`. */
  readonly many: string;
}

/** Names of the document's own components, and names that likely collide in generated code. */
const RESERVED = [
  'Error',
  'ValidationError',
  'Increment',
  'Updated',
  'Deleted',
  'Created',
  'Done',
  'NotModified',
  'Search',
  'Index',
  'QueryRequest',
  'QueryResult',
  'QueryValue',
  'Schema',
  'Health',
  'BatchRequest',
  'BatchOperation',
  'BatchAnswer',
  'RelatedRecord',
  'RelatedRecords',
  'RelatedChanges',
  // Names that generated TypeScript uses itself.
  'Object',
  'Record',
  'Array',
  'Promise',
  'Partial',
  'Pick',
  'Omit',
  'Exclude',
  'Extract',
  'Readonly',
  'NonNullable',
  'Awaited',
  'Map',
  'Set',
  'Date',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'Function',
  'BigInt',
  'JSON',
  'Blob',
  'File',
  'FormData',
  'Headers',
  'Request',
  'RequestInit',
  'Response',
  'URL',
  'URLSearchParams',
  'AbortSignal',
  'Options',
  'Client',
  'Config',
  'Api',
  'ApiError',
  'ApiResult',
  'ApiRequestOptions',
  'CancelablePromise',
  'CancelError',
  'OpenAPI',
  'OpenAPIConfig',
  'HttpClient',
  'HttpResponse',
  'RequestParams',
  'ContentType',
  ...[...GEOMETRY_KINDS, 'Geometry'].map((shape) => `GeoJson${shape}`),
];
/** Suffixes of the other components of a row, after its name. */
const SUFFIXES = ['', 'create', 'update', 'list', 'created', 'updated', 'change'];

interface NameRules {
  /** Names that no table may get. */
  readonly reserved: readonly string[];
  /** Suffixes of a table's other types, in lower case. */
  readonly suffixes: readonly string[];
  /** Prefixes that no table's name may have. */
  readonly reservedStart?: RegExp;
}

/**
 * Returns a unique name for each table that reads well in generated types, whatever the tables are called.
 */
export function toSchemaNames(
  tables: readonly CompiledTable[],
  { reserved, suffixes, reservedStart }: NameRules = { reserved: RESERVED, suffixes: SUFFIXES },
): ReadonlyMap<CompiledTable, SchemaNames> {
  const taken = new Set(reserved.map((name) => name.toLowerCase()));
  const toName = (words: readonly string[]): string => {
    const name = toPascal(words);
    return reservedStart?.test(name) === true ? `Table${name}` : name;
  };
  const takenPlurals = new Set<string>();
  const names = new Map<CompiledTable, SchemaNames>();
  for (const table of tables) {
    const words = table.name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const last = words.at(-1) ?? '';
    const item = claim(toName([...words.slice(0, -1), toSingular(last)]), toName(words), taken, suffixes);
    names.set(table, {
      one: item,
      many: claim(toPascal(words), `${toPascal(words)}Rows`, takenPlurals, suffixes),
    });
  }
  return names;
}

/**
 * Returns the requested name, or else the longer one, or else that with a number.
 * Names for the bodies of other tables are taken as well.
 */
function claim(requested: string, longer: string, taken: Set<string>, suffixes: readonly string[]): string {
  const isTaken = (name: string): boolean =>
    suffixes.some((suffix) => taken.has(name.toLowerCase() + suffix));
  let name = requested;
  for (let number = 1; isTaken(name); number += 1) name = number === 1 ? longer : `${longer}${number}`;
  for (const suffix of suffixes) taken.add(name.toLowerCase() + suffix);
  return name;
}

function toPascal(words: readonly string[]): string {
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  // Without the prefix, a table could produce `deleteManyPosts`, the bulk operation on posts, or
  // `orderParam`, a parameter.
  return /^(?:[^A-Za-z]|$|Many(?:[A-Z0-9]|$))|[Pp]aram$/.test(name) ? `Table${name}` : name;
}
