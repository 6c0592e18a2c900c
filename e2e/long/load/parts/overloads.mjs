// @ts-check
/** Defines requests that an overloading tenant may send again and again within the rights of its key. */

/** @typedef {{ method?: string, path: string, body?: unknown, headers?: Record<string, string> }} Ask `path` is the part after `/v1/-` */

/** @type {Record<string, (iteration: number) => Ask>} */
export const overloads = {
  lists: () => ({ path: '/posts?limit=1000&include=user' }),
  searches: (iteration) => ({
    path: `/posts?title__like=%25${iteration % 10}%25&content__like=%25x%25&sort=-content&limit=1000`,
  }),
  groups: () => ({ path: '/posts?_group=title&_aggregate=count,max:content&sort=-count' }),
  queries: () => ({
    method: 'POST',
    path: '/query',
    body: { query: 'SELECT COUNT(*) AS many FROM posts a, posts b WHERE a.title < b.content', mode: 'sql' },
  }),
  writes: (iteration) => ({
    method: 'POST',
    path: '/tags',
    body: Array.from({ length: 500 }, (_, index) => ({
      name: `noise ${iteration} ${index} ${Math.random()}`,
    })),
  }),
  streams: () => ({ path: '/posts', headers: { Accept: 'application/x-ndjson' } }),
};
