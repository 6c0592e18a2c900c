// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const list1000 = {
  name: 'list-1000',
  says: 'GET the 1,000 posts before an id, with a different id each time',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?id__lt=${1_001 + Math.floor(random() * (size.posts - 1_001))}&sort=-id&limit=1000`,
  }),
};
