import { quoteName } from '../schema/read-tables.js';

/** Matches names that need no quotes in parameters of the data API. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Matches one item of a comma-separated list: an optional sign, then a quoted or unquoted name. */
const TERM = /(?:`(?:[^`]|``)*`|[^`,])+/g;
const QUOTED = /^`(?:[^`]|``)+`$/;

export interface SortTerm {
  readonly column: string;
  readonly isDescending: boolean;
}

export function isPlainName(column: string): boolean {
  return PLAIN.test(column);
}

/** Returns the name of a column for parameters of the data API: `title` or `` `odd name` ``. */
export function writeParameterName(column: string): string {
  return isPlainName(column) ? column : quoteName(column);
}

/** Parses the result of `writeParameterName`. Any other text, such as a path, is returned unchanged. */
export function readParameterName(text: string): string {
  return QUOTED.test(text) ? text.slice(1, -1).replaceAll('``', '`') : text;
}

/** Returns a value for the `sort` parameter: `created_at`, `-created_at`, ``-`odd name` ``. */
export function writeSort({ column, isDescending }: SortTerm): string {
  return `${isDescending ? '-' : ''}${writeParameterName(column)}`;
}

/** Returns the columns of a `sort` parameter in order. Items without a name are left out. */
export function readSort(sort: string | undefined): SortTerm[] {
  return (sort?.match(TERM) ?? []).flatMap((term) => {
    const isDescending = term.startsWith('-');
    const column = readParameterName(isDescending ? term.slice(1) : term);
    return column === '' ? [] : [{ column, isDescending }];
  });
}
