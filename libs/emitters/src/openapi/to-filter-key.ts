import {
  FILTER_OPERATORS,
  QUERY_CONTROLS,
  quoteName,
  RESERVED_OPERATORS,
  type CompiledColumn,
  type FilterOperator,
} from '@rowhouse/schema-model';

const CONTROLS: ReadonlySet<string> = new Set(QUERY_CONTROLS);
const PLAIN_NAME = /^(?:[A-Za-z0-9_$\u0080-\uffff]|-(?!>))+$/;
/** Suffixes after which a column name needs an explicit operator. */
const TAILS: ReadonlySet<string> = new Set([...FILTER_OPERATORS, ...RESERVED_OPERATORS]);

/**
 * Returns the query parameter that filters by a column:
 * `status`, `limit__eq`, `` `odd name` ``, `title__like`.
 */
export function toFilterKey(column: CompiledColumn, operator: FilterOperator = 'eq'): string {
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
