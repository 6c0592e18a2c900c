// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const update = {
  name: 'update',
  says: 'PATCH the title of a post, and return the changed row',
  isWrite: true,
  makeRequest: ({ random, size }) => ({
    method: 'PATCH',
    path: `/posts/${1 + Math.floor(random() * size.posts)}`,
    body: { title: `title ${Math.floor(random() * 1e9).toString(36)}` },
  }),
};
