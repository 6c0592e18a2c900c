import { quoteName } from '../schema/quote-name.js';

/** Names that parameters of the data API can hold as they are: other ones are quoted. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** One name of a list, between commas: a sign, then what is quoted or is not. */
const TERM = /(?:`(?:[^`]|``)*`|[^`,])+/g;
const QUOTED = /^`(?:[^`]|``)+`$/;

export interface SortTerm {
  readonly column: string;
  readonly isDescending: boolean;
}

export function isPlainName(column: string): boolean {
  return PLAIN.test(column);
}

/** A column as parameters name it: `title`, `` `odd name` ``. */
export function writeParameterName(column: string): string {
  return isPlainName(column) ? column : quoteName(column);
}

/** The column that `writeParameterName` wrote; other texts, paths among them, come back as they are. */
export function readParameterName(text: string): string {
  return QUOTED.test(text) ? text.slice(1, -1).replaceAll('``', '`') : text;
}

/** A value of `sort`: `created_at`, `-created_at`, ``-`odd name` ``. */
export function writeSort({ column, isDescending }: SortTerm): string {
  return `${isDescending ? '-' : ''}${writeParameterName(column)}`;
}

/** The columns of a `sort`, in their order; what has no name is left out. */
export function readSort(sort: string | undefined): SortTerm[] {
  return (sort?.match(TERM) ?? []).flatMap((term) => {
    const isDescending = term.startsWith('-');
    const column = readParameterName(isDescending ? term.slice(1) : term);
    return column === '' ? [] : [{ column, isDescending }];
  });
}
