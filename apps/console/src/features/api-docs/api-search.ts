/** The search parameters of the API page: the operation, and the query that was built for a list. */
export interface ApiSearch {
  op?: string;
  q?: string;
}

export function readApiSearch(search: Record<string, unknown>): ApiSearch {
  return {
    ...(typeof search['op'] === 'string' ? { op: search['op'] } : {}),
    ...(typeof search['q'] === 'string' ? { q: search['q'] } : {}),
  };
}
