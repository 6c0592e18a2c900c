// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const list20 = {
  name: 'list-20',
  says: 'GET the 20 posts before an id, with a different id each time',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?id__lt=${100 + Math.floor(random() * (size.posts - 100))}&sort=-id&limit=20`,
  }),
};
