import type { JsonObject, OpenApiOptions } from './openapi-types.js';
import { FILTER_OPERATORS, FILTERS_PARAMETER } from '@rowhouse/schema-model';

/**
 * The operators that share one description. `exists` and `regex` are described separately: `exists` follows a
 * relationship, and `regex` may be disabled.
 */
const OPERATORS = FILTER_OPERATORS.filter((operator) => operator !== 'exists' && operator !== 'regex');

const IF_MATCH_REQUIRED: JsonObject = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description:
    'The ETag from reading the record, or * for any version. Returns 428 if it is missing, and ' +
    '412 if the record has since changed.',
  schema: { type: 'string' },
};

/** Emits the parameters that all tables have in common. */
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
  const limitText = 'The number of records per page. The default with page is 20.';
  return {
    page: query('page', 'The page number, starting at 1. Pages end at 100,000 records.', {
      type: 'integer',
      minimum: 1,
    }),
    ...(options.settings.require_limit
      ? {
          limitRequired: {
            ...limit,
            description: `${limitText} This database requires page or limit for every list.`,
          },
        }
      : {
          limit: {
            ...limit,
            description:
              `${limitText} Without either, lists return up to 1,000 records, and X-Truncated indicates ` +
              'that there are more.',
          },
        }),
    offset: query('_offset', 'The number of records to skip. Use it instead of page.', {
      type: 'integer',
      minimum: 0,
    }),
    cursor: query(
      '_cursor',
      'Use it instead of page. Send an empty value first, then the value of X-Next-Cursor with the ' +
        'same sort and filters.',
    ),
    count: query(
      '_count',
      'Adds X-Total-Count. exact counts the matching records. estimated avoids counting whole tables.',
      { type: 'string', enum: ['exact', 'estimated'] },
    ),
  };
}

function emitSortParameters(): Record<string, JsonObject> {
  return {
    sort: query(
      'sort',
      'Columns to sort by, separated by commas. Use - for descending order: -created_at,id. Sort ' +
        'by a column of a to-one related record (user.name), a value inside JSON (data->a.b), or an ' +
        'included count (include=n:count:{relationship}&sort=-n). NULL is lower than all values; add ' +
        ':nulls_first or :nulls_last to change that: -created_at:nulls_first. Put names with ' +
        'characters other than letters, digits, _ and - in backquotes. You cannot sort by whole ' +
        'JSON, binary, geometry or vector columns.',
    ),
    order: query(
      'order',
      'The direction of sort columns without a sign. Without sort, it sorts by the key of the table.',
      { type: 'string', enum: ['asc', 'desc'] },
    ),
  };
}

function emitFilterParameters(): Record<string, JsonObject> {
  return {
    filter: query(
      '_filter',
      'A tree of conditions as JSON: {"or":[{"id__lt":9},{"id":12}]}. Combine them with and, or ' +
        'and not. Use some, none, every and count for relationships. Dates can be relative: ' +
        '{"at__gte":{"$expr":"NOW() - INTERVAL 7 DAY"}}.',
    ),
    search: query('_q', 'Words to search for in the FULLTEXT indexes of the table.'),
    where: query(
      'where',
      "Comparisons with AND, OR, NOT and parentheses: age >= 18 AND (name LIKE 'a%' OR city IS " +
        'NULL). Also accepts age.gte.18, updated_at > created_at, at >= NOW() - INTERVAL 7 DAY, at ' +
        ">= DATE_TRUNC('month', NOW(), 'Europe/Amsterdam').",
    ),
    createdAfter: query(
      'created_after',
      'Only records created after this time, or after the start of this date in UTC: 2026-01-31.',
    ),
  };
}

function emitSelectParameters(): Record<string, JsonObject> {
  return {
    select: query(
      '_select',
      'The columns to return, separated by commas. Rename a column (label:title), read inside JSON ' +
        '(data->a.b), or cast to string, number, boolean or date (price::string). Add _etag for the ' +
        'version of each record, for use in If-Match: *,_etag.',
    ),
    omit: query('_omit', 'The columns to omit, separated by commas.'),
  };
}

/** Emits the parameters with which a list returns groups or distinct values instead of records. */
function emitGroupParameters(): Record<string, JsonObject> {
  return {
    distinct: query('_distinct', 'Return the distinct values of these columns, separated by commas.'),
    aggregate: query(
      '_aggregate',
      'Return groups instead of records, with these aggregates, separated by commas. Use count ' +
        'alone, or count, count_distinct, sum, avg, min or max of a column (sum:amount). A column ' +
        'can belong to a to-one relationship, or be a value inside JSON (sum:data->weight). Add a ' +
        'name to rename the result (total:sum:amount).',
    ),
    group: query(
      '_group',
      'The columns to group by with _aggregate: status,created_at:month,data->a.b. Group dates by ' +
        'year, quarter, month, week, day or hour, and JSON by a value inside it. Without _group, all ' +
        'records are one group.',
    ),
    explain: query(
      '_explain',
      'Set to true to get the SQL statements and their query plans instead of the records. Nothing ' +
        'runs. Requires the scope query.',
      { type: 'boolean' },
    ),
    having: query(
      '_having',
      'Conditions on groups with _aggregate, as a tree like _filter: {"count__gt":100}.',
    ),
  };
}

/** Emits the headers with which a request depends on a record's version, such as `If-Match`. */
function emitConditionHeaders(): Record<string, JsonObject> {
  return {
    ifMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'Writes only if the record still has this ETag (* matches any), and returns 412 otherwise. ' +
        'Requires read permission.',
      schema: { type: 'string' },
    },
    ifMatchRequired: IF_MATCH_REQUIRED,
    ifNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description:
        'If the record still has this ETag, reads return 304 without a body, and writes return 412. ' +
        '* matches any version.',
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
        'Makes retries safe. The write runs only once. A repeated request with the same key within ' +
        '24 hours gets the stored response with Idempotent-Replayed: true. A different request with ' +
        'this key gets a 422. A request sent while the first one is running gets a 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    onConflict: query(
      '_on_conflict',
      'The columns of one unique key, separated by commas. If a record has the same values, it is ' +
        'updated instead, and the response is a 200. {"$inc":n} adds to a number. With Prefer: ' +
        'resolution=ignore-duplicates, the record is not changed. A duplicate on another key gets a ' +
        '409.',
    ),
    preferCreate: prefer(
      'return=minimal: return only the key. tx=rollback: a dry run that saves nothing. ' +
        'numbers=string: as for reads. resolution=merge-duplicates or ignore-duplicates: what ' +
        '_on_conflict does with an existing record. on-error=stop or continue: store NDJSON or CSV ' +
        'in parts, and return a report.',
    ),
    preferMany: prefer(
      'max-affected=N: if more than N records match, change nothing and return 409. The default is ' +
        '100, the maximum 10,000. return=representation: return the records instead of their number. ' +
        'tx=rollback: a dry run that saves nothing. numbers=string: as for reads.',
    ),
    preferWrite: prefer(
      'return=minimal: return no record. tx=rollback: a dry run that saves nothing. ' +
        'numbers=string: as for reads.',
    ),
    preferRead: prefer(
      'numbers=string: return BIGINT and DECIMAL values, and JSON numbers that a double would ' +
        'round, as strings.',
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
 * Emits the parameter that contains filters as the members of one object. Their names are not known in
 * advance. Most clients send such an object in the style `deepObject`.
 */
export function emitOperators(options: OpenApiOptions): JsonObject {
  return {
    name: FILTERS_PARAMETER,
    in: 'query',
    description: describeOperators(options.settings.regex_enabled),
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    // Interactive pages invent filters if this example is missing.
    example: {},
  };
}

function describeOperators(hasRegex: boolean): string {
  const names = hasRegex ? [...OPERATORS, 'regex'] : OPERATORS;
  const regex = hasRegex
    ? 'regex takes a regular expression of up to 200 characters and stops after 1 s. '
    : '';
  return (
    'Comparisons that must all match. Each member is a column for equality, or a column, two ' +
    'underscores and an operator (filters[total__gte]=10&filters[status__in]=new,paid). You can ' +
    'also send each as its own parameter (total__gte=10). If your client cannot send objects, ' +
    `use where or _filter. Operators: ${names.join(', ')}. in and not_in take up to 1,000 values ` +
    'separated by commas (quote values that contain commas) or a JSON array. between takes two ' +
    'values; isnull takes true or false. like, not_like and ilike take % and _. Operators that ' +
    `begin with i ignore case. ${regex}{relationship}.{column} filters by related records, and ` +
    '{relationship}__exists takes true or false. after, before, on, year, month and day compare ' +
    'dates. search uses a FULLTEXT index, within takes an area. json_contains, json_has_key and ' +
    '{column}->{path}__{operator} look inside JSON. Operators that end in _column compare with ' +
    'another column of the record. If a column has the name of a parameter, use {column}__eq. ' +
    'Unknown names are rejected with 422.'
  );
}
