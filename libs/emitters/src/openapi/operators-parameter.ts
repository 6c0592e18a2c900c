import { FILTER_OPERATORS } from '@rowhouse/schema-model';
import type { JsonObject, OpenApiOptions } from './openapi-types.js';

/** These two are described separately: `exists` follows a relationship, and `regex` may be disabled. */
const OPERATORS = FILTER_OPERATORS.filter((operator) => operator !== 'exists' && operator !== 'regex');

/** Emits all other comparisons as one parameter whose names are not known in advance. */
export function emitOperators(options: OpenApiOptions): JsonObject {
  return {
    name: '{column}__{operator}',
    in: 'query',
    description: describeOperators(options.settings.regex_enabled),
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    // Interactive pages invent parameters if this example is missing.
    example: {},
  };
}

function describeOperators(hasRegex: boolean): string {
  const names = hasRegex ? [...OPERATORS, 'regex'] : OPERATORS;
  const regex = hasRegex ? 'regex takes a regular expression of up to 200 characters and has 1 s; ' : '';
  return (
    'Any other comparison: the name of a column, two underscores and an operator, each as a parameter of its own ' +
    `(total__gte=10&status__in=new,paid). Operators: ${names.join(', ')}. in and not_in take up to 1,000 values separated by commas ` +
    '(quotes around values that hold commas) or a JSON array; between takes two; isnull takes true or false; like, not_like and ilike ' +
    `take % and _; the operators that begin with i ignore case; ${regex}{relationship}.{column} filters by related records, and ` +
    '{relationship}__exists takes true or false; after, before, on, year, month and day compare dates; search asks a FULLTEXT index, ' +
    'within takes an area, json_contains and json_has_key look into JSON, and so does {column}->{path}__{operator}; ' +
    'those that end in _column take another column of the record. A column called ' +
    'like one of the controls is filtered by {column}__eq; unknown names are answered 422.'
  );
}
