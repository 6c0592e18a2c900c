// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const oneById = {
  name: 'one-by-id',
  says: 'GET one post by its id, with a different id each time',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts/${1 + Math.floor(random() * size.posts)}`,
  }),
};
