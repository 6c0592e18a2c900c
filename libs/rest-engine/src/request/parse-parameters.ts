import { faultAt, validationError } from '@rowhouse/errors';
import type { FilterOperator, QueryControl } from '@rowhouse/schema-model';
import type { EmbedOption, EmbedParameter, FilterParameter, QueryParameters } from './api-request.js';
import { decodePercent } from './decode-percent.js';
import { createFaultList, type FaultList } from './fault-list.js';
import { isJsonArray, isJsonObject, isWithinValues } from './json-value.js';
import type { JsonValue } from './json-value.js';
import { parseEmbedKey } from './parse-embed-key.js';
import { hintSeveral, parseQueryKey } from './parse-query-key.js';
import { serializeJson } from './serialize-json.js';

/**
 * The maximum number of JSON values in a search body. It exceeds the number of values that all conditions may
 * bind, plus the JSON around these values.
 */
export const SEARCH_VALUES_MAX = 100_000;

/** The set of parameters that a kind of request accepts. */
export type ParameterUse = 'list' | 'record' | 'create' | 'filters' | 'none';

const RECORD_CONTROLS: ReadonlySet<QueryControl> = new Set(['include', '_select', '_omit']);
/** Parameters that filter a list without changing the form of its records. */
const FILTER_CONTROLS: ReadonlySet<QueryControl> = new Set(['created_after', 'where', '_filter', '_q']);

/**
 * Parses the query. No parameter is ignored: `params.invalid` (422) reports all unknown or invalid parameters
 * together.
 */
export function parseParameters(rawQuery: string, use: ParameterUse): QueryParameters {
  return rawQuery === '' ? NO_PARAMETERS : readPairs(splitQuery(rawQuery), use);
}

/**
 * Parses parameters that are members of a JSON body. Numbers and booleans become text, and arrays of names
 * are joined with commas.
 */
export function parseMembers(body: JsonValue): QueryParameters {
  if (!isJsonObject(body))
    throw validationError('body.invalid', [
      faultAt(['body'], 'The body must be an object of parameters.', 'dict_type'),
    ]);
  if (!isWithinValues(body, SEARCH_VALUES_MAX))
    throw validationError('body.invalid', [
      faultAt(
        ['body'],
        `The parameters of a search can have at most ${SEARCH_VALUES_MAX.toLocaleString('en')} JSON values.`,
        'too_many_values',
      ),
    ]);
  return readPairs(
    [...body].map(([key, value]) => [key, toParameterText(key, value)]),
    'list',
  );
}

/** Parameters that contain a list of names. A JSON array of strings is joined with commas. */
const NAME_LISTS: ReadonlySet<string> = new Set([
  'sort',
  'include',
  '_select',
  '_omit',
  '_distinct',
  '_aggregate',
  '_group',
]);
/** Matches include options that contain a list of names. */
const EMBED_NAME_LISTS = /^include\[.*\]\[(?:sort|_select|_omit)\]$/s;
const RESERVED_HINT = 'If a column name ends like this, put it in backquotes.';

function toParameterText(key: string, value: JsonValue): string {
  if (value === null)
    throw validationError(
      'params.invalid',
      [faultAt(['body', key], 'A parameter must not be null.', 'null_not_allowed')],
      `Omit it. To compare with NULL, use "${key}__isnull": true.`,
    );
  if (typeof value === 'string') return value;
  if (
    (NAME_LISTS.has(key) || EMBED_NAME_LISTS.test(key)) &&
    isJsonArray(value) &&
    value.every((item) => typeof item === 'string')
  )
    return value.join(',');
  return serializeJson(value);
}

/**
 * The maximum number of parameters in one request, which is far more than a plan accepts. Each parameter
 * takes time, and a body may contain hundreds of thousands.
 */
const PARAMETERS_MAX = 1_000;

/**
 * The maximum length of a parameter, which allows 4,000 names of the maximum length. A search body may have
 * megabytes, and a list of names is split before it is checked.
 */
const CONTROL_LENGTH_MAX = 262_144;

/**
 * The state of the parser. A body may contain hundreds of thousands of parameters, so duplicates are found by
 * lookup in a set.
 */
interface ParameterParserState {
  readonly use: ParameterUse;
  /** The result. Its members are set as their parameters are parsed. */
  readonly parameters: Controls;
  readonly filters: FilterParameter[];
  readonly embeds: EmbedParameter[];
  /** The parameters found so far that may occur only once, each as a canonical text. */
  readonly found: Set<string>;
  readonly faults: FaultList;
}

type Controls = { -readonly [Name in keyof QueryParameters]: QueryParameters[Name] };

function readPairs(pairs: readonly (readonly [string, string])[], use: ParameterUse): QueryParameters {
  const filters: FilterParameter[] = [];
  const embeds: EmbedParameter[] = [];
  const state: ParameterParserState = {
    use,
    parameters: { ...NO_PARAMETERS, filters, embeds },
    filters,
    embeds,
    found: new Set(),
    faults: createFaultList('params.invalid'),
  };
  const { parameters, faults } = state;
  for (const [key, value] of pairs) {
    if (key.startsWith('include[')) readEmbed(key, value, state);
    else readParameter(key, value, state);
    if (filters.length + embeds.length > PARAMETERS_MAX)
      faults.add(
        ['query', key],
        `At most ${PARAMETERS_MAX.toLocaleString('en')} filters and options of includes are allowed.`,
        'too_many',
      );
    if (faults.isFull() || filters.length + embeds.length > PARAMETERS_MAX) break;
  }
  faults.throwIfAny();
  return parameters;
}

type ControlMember = Exclude<keyof QueryParameters, 'filters' | 'embeds'>;

/** The member of `QueryParameters` in which each parameter is returned. */
const MEMBERS: Readonly<Record<QueryControl, ControlMember>> = {
  page: 'page',
  limit: 'limit',
  _offset: 'offset',
  sort: 'sort',
  order: 'order',
  include: 'include',
  created_after: 'createdAfter',
  _select: 'select',
  _omit: 'omit',
  _count: 'count',
  _filter: 'filter',
  where: 'where',
  _q: 'q',
  _cursor: 'cursor',
  _distinct: 'distinct',
  _aggregate: 'aggregate',
  _group: 'group',
  _having: 'having',
  _explain: 'explain',
  _on_conflict: 'onConflict',
};

const NO_PARAMETERS: QueryParameters = Object.freeze({
  page: null,
  limit: null,
  offset: null,
  sort: null,
  order: null,
  include: null,
  createdAfter: null,
  select: null,
  omit: null,
  count: null,
  filter: null,
  where: null,
  q: null,
  cursor: null,
  distinct: null,
  aggregate: null,
  group: null,
  having: null,
  explain: null,
  onConflict: null,
  embeds: Object.freeze([]),
  filters: Object.freeze([]),
});

function splitQuery(rawQuery: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const part of rawQuery.split('&')) {
    if (part === '') continue;
    const cutIndex = part.indexOf('=');
    const rawKey = cutIndex < 0 ? part : part.slice(0, cutIndex);
    pairs.push([
      decodePercent(rawKey, true),
      cutIndex < 0 ? '' : decodePercent(part.slice(cutIndex + 1), true),
    ]);
  }
  return pairs;
}

function readParameter(
  key: string,
  value: string,
  { use, parameters, filters, found, faults }: ParameterParserState,
): void {
  const loc = ['query', key];
  const read = parseQueryKey(key);
  if (read.kind === 'refused') return faults.add(loc, read.message, 'unknown_parameter', read.hint);
  if (read.kind === 'reserved')
    return faults.add(loc, `${read.what} is reserved and cannot be used.`, 'not_served', RESERVED_HINT);
  if (read.kind === 'control') {
    if (!isUnderstood(read.control, use))
      return faults.add(loc, `The parameter ${key} cannot be used in this request.`, 'unknown_parameter');
    const member = MEMBERS[read.control];
    if (parameters[member] !== null)
      return faults.add(loc, `The parameter ${key} appears twice.`, 'repeated');
    if (isTooLong(read.control, value)) return addTooLong(loc, faults);
    parameters[member] = value;
    return undefined;
  }
  if (use !== 'list' && use !== 'filters')
    return faults.add(loc, 'Filters cannot be used in this request.', 'unknown_parameter');
  if (NAMES_VALUE.has(read.operator) && isRepeated(found, ['', read.path, read.jsonPath, read.operator])) {
    return faults.add(
      loc,
      `The parameter ${key} appears twice, and no record can match two values.`,
      'repeated',
      hintRepeated(key, read.operator),
    );
  }
  filters.push({ key, path: read.path, jsonPath: read.jsonPath, operator: read.operator, value });
  return undefined;
}

function readEmbed(key: string, value: string, { use, embeds, found, faults }: ParameterParserState): void {
  const loc = ['query', key];
  if (use !== 'list' && use !== 'record')
    return faults.add(loc, `The parameter ${key} cannot be used in this request.`, 'unknown_parameter');
  const read = parseEmbedKey(key);
  if (read.kind === 'refused') return faults.add(loc, read.message, 'unknown_parameter', read.hint);
  if (read.option.kind === 'control' && isTooLong(read.option.control, value)) return addTooLong(loc, faults);
  const part = toUniquePart(read.option);
  if (part !== null && isRepeated(found, ['include', read.path, part]))
    return faults.add(
      loc,
      `The parameter ${key} appears twice.`,
      'repeated',
      read.option.kind === 'control' ? null : 'Put several values in one list, for example id__in=a,b.',
    );
  embeds.push({ key, path: read.path, option: read.option, value });
  return undefined;
}

/**
 * Reports whether a parameter is too long. `where` and `_filter` have other limits: the parser limits the
 * length of `where`, and `_filter` has a maximum number of values.
 */
function isTooLong(control: QueryControl, value: string): boolean {
  return control !== '_filter' && control !== 'where' && value.length > CONTROL_LENGTH_MAX;
}

function addTooLong(loc: readonly string[], faults: FaultList): void {
  faults.add(
    loc,
    `The parameter can have at most ${CONTROL_LENGTH_MAX.toLocaleString('en')} characters.`,
    'too_long',
  );
}

/**
 * Operators that compare with one exact value. Two such conditions on one column would match nothing, so the
 * caller probably meant a list of values. Other conditions may be repeated, and are combined with AND.
 */
const NAMES_VALUE: ReadonlySet<FilterOperator> = new Set([
  'eq',
  'iexact',
  'in',
  'on',
  'year',
  'month',
  'day',
]);

function hintRepeated(key: string, operator: FilterOperator): string {
  return operator === 'eq' || operator === 'in'
    ? hintSeveral(key)
    : 'Combine conditions with OR in where, or with "or" in _filter.';
}

/**
 * Returns an identifier for an include option that may occur only once, which is a control or an equality
 * condition. Returns null for all other options.
 */
function toUniquePart(option: EmbedOption): readonly unknown[] | null {
  if (option.kind === 'control') return [option.control];
  return NAMES_VALUE.has(option.operator) ? [option.path, option.jsonPath, option.operator] : null;
}

/**
 * Reports whether a parameter occurred before. Its parts are joined as JSON, because names may contain any
 * character.
 */
function isRepeated(found: Set<string>, what: readonly unknown[]): boolean {
  const name = JSON.stringify(what);
  if (found.has(name)) return true;
  found.add(name);
  return false;
}

function isUnderstood(control: QueryControl, use: ParameterUse): boolean {
  switch (use) {
    case 'list':
      return control !== '_on_conflict';
    case 'record':
      return RECORD_CONTROLS.has(control);
    case 'create':
      return control === '_on_conflict';
    case 'filters':
      return FILTER_CONTROLS.has(control);
    case 'none':
      return false;
  }
}
