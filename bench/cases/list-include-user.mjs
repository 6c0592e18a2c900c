// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const listIncludeUser = {
  name: 'list-include-user',
  says: 'GET the 20 posts before an id, each with its author',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?id__lt=${100 + Math.floor(random() * (size.posts - 100))}&sort=-id&limit=20&include=user`,
  }),
};
