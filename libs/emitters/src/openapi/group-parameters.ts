import type { JsonObject } from './openapi-types.js';

/** Emits the parameters that make a list return groups or distinct values instead of rows. */
export function emitGroupParameters(): Record<string, JsonObject> {
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

function query(name: string, description: string, schema: JsonObject = { type: 'string' }): JsonObject {
  return { name, in: 'query', description, schema };
}
