/** A filter on one column: the column, an operator of the data API, and the value as text. */
export type RowFilter = readonly [column: string, operator: string, value: string];

/** The search parameters of the page with a table's rows. A link with them shows the same rows. */
export interface DataSearch {
  readonly filters?: readonly RowFilter[];
  /** The sort order in the format of the data API, such as `-created_at,id`. */
  readonly sort?: string;
  /** The visible columns in order. If undefined, all columns are visible. */
  readonly columns?: readonly string[];
  /** The key of the record that is open next to the grid, as in paths of the data API. */
  readonly row?: string;
}

const FILTERS_MAX = 20;

/** Reads the search parameters and ignores invalid ones. */
export function readDataSearch(search: Record<string, unknown>): DataSearch {
  const filters = Array.isArray(search['filters'])
    ? search['filters'].filter(isFilter).slice(0, FILTERS_MAX)
    : [];
  const columns = Array.isArray(search['columns'])
    ? search['columns'].filter((name): name is string => typeof name === 'string')
    : [];
  const row = typeof search['row'] === 'number' ? String(search['row']) : search['row'];
  return {
    ...(filters.length > 0 ? { filters } : {}),
    ...(typeof search['sort'] === 'string' && search['sort'] !== '' ? { sort: search['sort'] } : {}),
    ...(columns.length > 0 ? { columns } : {}),
    ...(typeof row === 'string' && row !== '' ? { row } : {}),
  };
}

function isFilter(value: unknown): value is RowFilter {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    value.every((part) => typeof part === 'string') &&
    value[0] !== '' &&
    /^[a-z_]+$/.test(String(value[1]))
  );
}

/** Changes search parameters in the URL. Parameters with the value undefined are removed. */
export type ChangeSearch = (
  change: { readonly [Name in keyof DataSearch]?: DataSearch[Name] | undefined },
  replace?: boolean,
) => void;
