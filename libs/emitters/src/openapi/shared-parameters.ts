import type { JsonObject, OpenApiOptions } from './openapi-types.js';
import { FILTER_OPERATORS, FILTERS_PARAMETER } from '@rowhouse/schema-model';

/** These two are described separately: `exists` follows a relationship, and `regex` may be disabled. */
const OPERATORS = FILTER_OPERATORS.filter((operator) => operator !== 'exists' && operator !== 'regex');

const IF_MATCH_REQUIRED: JsonObject = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description:
    'The ETag that the record was read with, or * for any version. 428 without it, 412 when the record has another version by now.',
  schema: { type: 'string' },
};

/** Emits the parameters that all tables share. */
export function emitSharedParameters(options: OpenApiOptions): Record<string, JsonObject> {
  return {
    ...emitPageParameters(options),
    ...emitSortParameters(),
    ...emitFilterParameters(),
    ...emitSelectParameters(),
    ...emitGroupParameters(),
    filters: emitOperators(options),
    ...emitConditionHeaders(),
    ...emitWriteParameters(),
  };
}

function emitPageParameters(options: OpenApiOptions): Record<string, JsonObject> {
  const limit = {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 0, maximum: 1000 },
  } as const;
  const limitText = 'Records per page. With page but without limit: 20.';
  return {
    page: query('page', 'The page, from 1. Lists reach 100,000 records deep.', {
      type: 'integer',
      minimum: 1,
    }),
    ...(options.settings.require_limit
      ? {
          limitRequired: {
            ...limit,
            description: `${limitText} This database asks for page or limit on every list.`,
          },
        }
      : {
          limit: {
            ...limit,
            description: `${limitText} Without both: up to 1,000, and X-Truncated says when there are more.`,
          },
        }),
    offset: query('_offset', 'Records to skip, instead of page.', { type: 'integer', minimum: 0 }),
    cursor: query(
      '_cursor',
      'Instead of page: empty for the start, then what X-Next-Cursor gave. Holds for the same sort and filters.',
    ),
    count: query(
      '_count',
      'exact: X-Total-Count says how many records match. estimated: about how many, without counting whole tables.',
      { type: 'string', enum: ['exact', 'estimated'] },
    ),
  };
}

function emitSortParameters(): Record<string, JsonObject> {
  return {
    sort: query(
      'sort',
      'Columns to sort by, separated by commas, "-" in front for downwards: -created_at,id. Columns of one related record with dots: user.name. Inside JSON: data->a.b. What include counts by its name: include=n:count:{relationship}&sort=-n. NULL comes before all values, and downwards after them, unless :nulls_first or :nulls_last behind a column says otherwise: -created_at:nulls_first. Names with other characters than letters, digits, _ and - in backquotes; not by JSON as a whole, binary, places and vectors.',
    ),
    order: query(
      'order',
      'The direction of sort keys without a sign; alone it sorts by the key, where there is one.',
      { type: 'string', enum: ['asc', 'desc'] },
    ),
  };
}

function emitFilterParameters(): Record<string, JsonObject> {
  return {
    filter: query(
      '_filter',
      'A tree of conditions as JSON, with and, or, not, and some, none, every, count of relationships: {"or":[{"id__lt":9},{"id":12}]}. Relative dates: {"at__gte":{"$expr":"NOW() - INTERVAL 7 DAY"}}.',
    ),
    search: query('_q', 'Words to look for in the FULLTEXT indexes of the table.'),
    where: query(
      'where',
      "Comparisons joined by AND, OR, NOT and brackets: age >= 18 AND (name LIKE 'a%' OR city IS NULL). Also age.gte.18, updated_at > created_at, at >= NOW() - INTERVAL 7 DAY, at >= DATE_TRUNC('month', NOW(), 'Europe/Amsterdam').",
    ),
    createdAfter: query(
      'created_after',
      'Only records created later than this date (its start, UTC) or instant: 2026-01-31.',
    ),
  };
}

function emitSelectParameters(): Record<string, JsonObject> {
  return {
    select: query(
      '_select',
      'Only these columns, separated by commas. name:column->path::cast names, reads inside JSON and casts (string, number, boolean, date): label:title,data->a.b,price::string. _etag among them adds the version of each record, as If-Match takes it: *,_etag.',
    ),
    omit: query('_omit', 'All columns but these, separated by commas.'),
  };
}

/** Emits the parameters that make a list return groups or distinct values instead of rows. */
function emitGroupParameters(): Record<string, JsonObject> {
  return {
    distinct: query('_distinct', 'The distinct rows of these columns, separated by commas.'),
    aggregate: query(
      '_aggregate',
      'Groups instead of records: what to compute of each, separated by commas. count, or count, count_distinct, sum, avg, min, max of a column ' +
        '(sum:amount, also over to-one relationships and inside JSON: sum:data->weight), with a name in front to call it otherwise (total:sum:amount). The rows hold these members instead of the columns.',
    ),
    group: query(
      '_group',
      'With _aggregate: the columns that records are grouped by, dates also by year, quarter, month, week, day, hour, JSON by a value inside: status,created_at:month,data->a.b. Without it all records are one group.',
    ),
    explain: query(
      '_explain',
      'true: instead of the records an object with the statements that would run and the steps of the engine for each; nothing runs. Needs the scope query.',
      { type: 'boolean' },
    ),
    having: query(
      '_having',
      'With _aggregate: which groups, as a tree of conditions on their members: {"count__gt":100}.',
    ),
  };
}

/** Emits the headers that make a request depend on the version of a record. */
function emitConditionHeaders(): Record<string, JsonObject> {
  return {
    ifMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'Only when the record is still the one that this ETag came with (* is any), else 412. Needs the right to read.',
      schema: { type: 'string' },
    },
    ifMatchRequired: IF_MATCH_REQUIRED,
    ifNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description:
        'Reads: 304 without a body when the record still has this ETag. Writes: 412 when it has (* is any).',
      schema: { type: 'string' },
    },
  };
}

function emitWriteParameters(): Record<string, JsonObject> {
  return {
    idempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'The write happens once however often it is sent: the same request with the same key within 24 h gets the same answer, with ' +
        'Idempotent-Replayed: true. Another request with the key is 422, one while it runs 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    onConflict: query(
      '_on_conflict',
      'The columns of one unique key, separated by commas: a record with the same values is changed instead (200; {"$inc":n} adds to a number), or left alone with ' +
        'Prefer: resolution=ignore-duplicates. A duplicate on another key is 409.',
    ),
    preferCreate: prefer(
      'return=minimal: the key alone in the answer. tx=rollback: a dry run, nothing is kept. numbers=string: as on reads. ' +
        'resolution=merge-duplicates or ignore-duplicates: what _on_conflict does with a record that is there. ' +
        'on-error=stop or continue: of NDJSON and CSV, storing in parts with a report.',
    ),
    preferMany: prefer(
      'max-affected=N: 409 and no change when more than N records match; 100 unless said, 10,000 at most. return=representation: the records ' +
        'instead of their number. tx=rollback: a dry run. numbers=string: as on reads.',
    ),
    preferWrite: prefer(
      'return=minimal: no record in the answer. tx=rollback: a dry run, nothing is kept. numbers=string: as on reads.',
    ),
    preferRead: prefer(
      'numbers=string: values of BIGINT and DECIMAL, and numbers inside JSON that a double would round, come as strings.',
    ),
  };
}

function query(name: string, description: string, schema: JsonObject = { type: 'string' }): JsonObject {
  return { name, in: 'query', description, schema };
}

function prefer(description: string): JsonObject {
  return {
    name: 'Prefer',
    in: 'header',
    description: `${description} Preference-Applied lists the preferences that were applied.`,
    schema: { type: 'string' },
  };
}

/**
 * Emits comparisons as the members of one object. Their names are not known in advance, and most clients
 * send `deepObject`.
 */
export function emitOperators(options: OpenApiOptions): JsonObject {
  return {
    name: FILTERS_PARAMETER,
    in: 'query',
    description: describeOperators(options.settings.regex_enabled),
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    // Interactive pages invent parameters if this example is missing.
    example: {},
  };
}

function describeOperators(hasRegex: boolean): string {
  const names = hasRegex ? [...OPERATORS, 'regex'] : OPERATORS;
  const regex = hasRegex
    ? 'regex takes a regular expression of up to 200 characters and stops after 1 s. '
    : '';
  return (
    'Comparisons that must all hold. A member is a column, alone for equality or followed by two underscores and an operator ' +
    '(filters[total__gte]=10&filters[status__in]=new,paid). Each can also be a parameter of its own (total__gte=10). Clients that ' +
    `cannot send objects use where or _filter. Operators: ${names.join(', ')}. in and not_in take up to 1,000 values separated by ` +
    'commas (quote values that contain commas) or a JSON array. between takes two values; isnull takes true or false. like, not_like ' +
    `and ilike take % and _. Operators that begin with i ignore case. ${regex}{relationship}.{column} filters by related records, and ` +
    '{relationship}__exists takes true or false. after, before, on, year, month and day compare dates. search uses a FULLTEXT index, ' +
    'within takes an area, json_contains and json_has_key look into JSON, and so does {column}->{path}__{operator}. Operators that ' +
    'end in _column take another column of the record. To filter a column named like a control, use {column}__eq. Unknown names are ' +
    'rejected with 422.'
  );
}
