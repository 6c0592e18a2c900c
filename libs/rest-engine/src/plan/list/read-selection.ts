import type { CompiledColumn, CompiledTable, ValueKind } from '@rowhouse/schema-model';
import type { QueryParameters } from '../../request/api-request.js';
import { readJsonPath, splitSegments } from '../../request/path-segments.js';
import type { FaultList } from '../../request/fault-list.js';
import { hintColumn } from '../find-names.js';
import {
  checkIncluded,
  ETAG,
  hintEmbedding,
  readColumnNames,
  splitNames,
  toName,
  withoutIncluded,
} from './plan-select.js';
import type { Cast, IncludeNode, SelectedColumn } from '../plan-parts.js';

/** The maximum number of projections in one response. Each projection makes the SQL statement longer. */
const PROJECTIONS_MAX = 100;

const CASTS: Readonly<Record<Cast, ReadonlySet<ValueKind> | null>> = {
  string: null,
  number: new Set([
    'integer',
    'decimal',
    'float',
    'double',
    'bit',
    'year',
    'boolean',
    'string',
    'enum',
    'json',
  ]),
  boolean: new Set(['boolean', 'integer', 'decimal', 'float', 'double', 'bit', 'string', 'json']),
  date: new Set(['date', 'datetime', 'timestamp', 'string', 'json']),
};

/** The type names that other data APIs use for casts, with the cast of this API. */
const FOREIGN_CASTS: Readonly<Record<string, Cast>> = {
  text: 'string',
  varchar: 'string',
  char: 'string',
  int: 'number',
  int4: 'number',
  int8: 'number',
  bigint: 'number',
  integer: 'number',
  numeric: 'number',
  decimal: 'number',
  float: 'number',
  float8: 'number',
  double: 'number',
  real: 'number',
  bool: 'boolean',
};

/**
 * Returns the columns of the response. These are the columns of `_select`, or all visible columns by default,
 * except those of `_omit` and those that an include replaces.
 */
export function planSelect(
  table: CompiledTable,
  parameters: QueryParameters,
  include: readonly IncludeNode[],
  faults: FaultList,
): readonly SelectedColumn[] {
  if (parameters.select === null && parameters.omit === null && include.length === 0) return table.shown;
  const chosen =
    parameters.select === null ? table.shown : readSelection(table, '_select', parameters.select, faults);
  checkIncluded(chosen, include, '_select', faults);
  const omitted = parameters.omit === null ? [] : readColumnNames(table, '_omit', parameters.omit, faults);
  if (omitted.length === 0) return withoutIncluded(chosen, include);
  const left = chosen.filter((column) => !omitted.includes(column));
  if (left.length === 0) faults.add(['query', '_omit'], '_omit removes all columns.', 'empty');
  return withoutIncluded(left, include);
}

/**
 * Parses `_select`, a list of columns, `*`, `_etag` and projections such as
 * `country:data->origin.country::string`.
 */
export function readSelection(
  table: CompiledTable,
  control: string,
  text: string,
  faults: FaultList,
): readonly SelectedColumn[] {
  const chosen = new Set<SelectedColumn>();
  const parts = splitNames(text);
  let projections = 0;
  for (const part of parts) {
    if (faults.isFull()) break;
    if (part === '*') for (const column of table.shown) chosen.add(column);
    else if (part !== ETAG) {
      const column: SelectedColumn | null =
        table.findColumn(toName(part)) ?? readProjection(table, control, part, faults);
      if (column !== null) chosen.add(column);
      if (column?.projection !== undefined) projections += 1;
    }
    if (projections > PROJECTIONS_MAX) {
      faults.add(
        ['query', control],
        `A request can have at most ${PROJECTIONS_MAX} renamed or cast members.`,
        'too_many',
      );
      break;
    }
  }
  if (projections > 0) checkMembers(control, chosen, faults);
  // Returning the default list object lets the request share the default's cached statement.
  return text === '*' ? table.shown : [...chosen];
}

function checkMembers(control: string, chosen: ReadonlySet<SelectedColumn>, faults: FaultList): void {
  const names = new Set<string>();
  for (const { name } of chosen) {
    if (names.has(name))
      faults.add(
        ['query', control],
        `Two members would have the name ${JSON.stringify(name)}.`,
        'repeated',
        'Rename one of them, for example total:price.',
      );
    names.add(name);
  }
}

/**
 * Parses a projection `name:column->path::cast`, in which at least one of the name, the path and the cast is
 * present. Returns null after adding a fault.
 */
function readProjection(
  table: CompiledTable,
  control: string,
  part: string,
  faults: FaultList,
): SelectedColumn | null {
  const written = split(part);
  const reject = (msg: string, type: string, hint: string | null): null => {
    faults.add(['query', control], msg, type, hint);
    return null;
  };
  const name = written?.column ?? toName(part);
  const source = table.findColumn(name);
  if (source === null)
    return reject(
      `${table.name} has no column ${JSON.stringify(name)}.`,
      'unknown_column',
      hintEmbedding(table, name) ?? hintColumn(faults, name, table),
    );
  if (written === null)
    return reject(
      `${JSON.stringify(part)} is not a valid member.`,
      'unknown_column',
      'Write members as name:column->path::cast, for example country:data->origin.country::string.',
    );
  const { alias, json, cast } = written;
  if (json !== null && source.valueKind !== 'json')
    return reject(`${source.name} is not a JSON column, so -> cannot be used.`, 'not_selectable', null);
  const fault = cast === null ? null : findCastFault(source, cast);
  if (fault !== null) return reject(fault.msg, fault.type, fault.hint);
  const member = alias ?? [source.name, ...(json?.names ?? [])].join('_');
  return {
    ...source,
    name: member,
    projection: { source, jsonPath: json?.path ?? null, cast: cast as Cast | null },
  };
}

interface Written {
  readonly alias: string | null;
  readonly column: string;
  readonly json: { readonly path: string; readonly names: readonly string[] } | null;
  readonly cast: string | null;
}

/** Splits a projection into its parts. Returns null for any other text. */
function split(part: string): Written | null {
  const first = readName(part, 0);
  if (first === null) return null;
  const hasAlias = part[first.end] === ':' && part[first.end + 1] !== ':';
  const column = hasAlias ? readName(part, first.end + 1) : first;
  if (column === null) return null;
  const json = part.startsWith('->', column.end) ? readJsonPath(part, column.end + 2) : null;
  const end = json?.end ?? column.end;
  const cast = part.startsWith('::', end) ? part.slice(end + 2) : null;
  if (end + (cast === null ? 0 : cast.length + 2) !== part.length) return null;
  return { alias: hasAlias ? first.name : null, column: column.name, json, cast };
}

function readName(part: string, start: number): { readonly name: string; readonly end: number } | null {
  const read = splitSegments(part, start);
  return read?.segments.length === 1 ? { name: read.segments[0]?.name ?? '', end: read.end } : null;
}

function findCastFault(
  source: CompiledColumn,
  cast: string,
): { readonly msg: string; readonly type: string; readonly hint: string } | null {
  const names = Object.keys(CASTS);
  if (!Object.hasOwn(CASTS, cast)) {
    const own = Object.hasOwn(FOREIGN_CASTS, cast.toLowerCase())
      ? FOREIGN_CASTS[cast.toLowerCase()]
      : undefined;
    return {
      msg: `${JSON.stringify(cast.slice(0, 50))} is not a type for casts.`,
      type: 'unknown_cast',
      hint: own === undefined ? `The casts are ::${names.join(', ::')}.` : `Use ::${own}.`,
    };
  }
  if (CASTS[cast as Cast]?.has(source.valueKind) !== false) return null;
  const fit = names.filter((name) => CASTS[name as Cast]?.has(source.valueKind) !== false);
  return {
    msg: `${source.name} is a ${source.valueKind} column and cannot be cast to ${cast}.`,
    type: 'not_castable',
    hint: `Cast it to ${fit.join(' or ')}.`,
  };
}
