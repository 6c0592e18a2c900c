// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const filterInclude = {
  name: 'filter-include',
  says: 'GET the newest 5 posts of a user with their comments',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?user_id=${1 + Math.floor(random() * size.users)}&sort=-id&limit=5&include=comments`,
  }),
};
