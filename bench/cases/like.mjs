// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const like = {
  name: 'like',
  says: 'GET the users whose name starts with a prefix, using the index (at most 11)',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/users?username__like=user${1 + Math.floor((random() * size.users) / 10)}%25&sort=id&limit=20`,
  }),
};
