// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const listIncludeComments = {
  name: 'list-include-comments',
  says: 'GET the 20 posts before an id, each with its comments (4 on average)',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?id__lt=${100 + Math.floor(random() * (size.posts - 100))}&sort=-id&limit=20&include=comments`,
  }),
};
