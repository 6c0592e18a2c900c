import { GEOMETRY_KINDS } from './geometry-schemas.js';
import { toSingular, type CompiledTable } from '@rowhouse/schema-model';

export interface SchemaNames {
  /**
   * The singular name, such as `PostTag`. The schemas of request bodies are then called `PostTagCreate` and
   * `PostTagUpdate`.
   */
  readonly one: string;
  /** The plural name for operation ids, such as `PostTags`. */
  readonly many: string;
}

/** The names of the document's own components, and names that are likely to collide in generated code. */
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
  // Names that generated TypeScript code uses itself.
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
/** The suffixes that a record's name has in the names of its other components. */
const SUFFIXES = ['', 'create', 'update', 'list', 'created', 'updated', 'change'];

interface NameRules {
  /** Names that no table may have. */
  readonly reserved: readonly string[];
  /** The suffixes of a table's other types, in lower case. */
  readonly suffixes: readonly string[];
  /** Matches prefixes that the name of a table must not have. */
  readonly reservedStart?: RegExp;
}

/** Returns for each table a unique name that is readable in generated types, whatever the table is called. */
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
 * Returns the requested name if it is free, then the longer one if that is free, and otherwise the longer one
 * with a number. The names of other tables' request bodies are not free.
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
  // Without the prefix `Table`, the name could collide with `deleteManyPosts`, an operation on the table of
  // posts, or with the parameter `orderParam`.
  return /^(?:[^A-Za-z]|$|Many(?:[A-Z0-9]|$))|[Pp]aram$/.test(name) ? `Table${name}` : name;
}
