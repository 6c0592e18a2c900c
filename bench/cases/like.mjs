// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const like = {
  name: 'like',
  says: 'GET the users whose name begins so, by the index (11 at most)',
  makeRequest: ({ random, size }) => ({ method: 'GET', path: `/users?username__like=user${1 + Math.floor((random() * size.users) / 10)}%25&sort=id&limit=20` }),
};
