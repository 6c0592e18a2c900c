// @ts-check
import { makeComment } from '../lib/make-comment.mjs';

/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const create = {
  name: 'create',
  says: 'POST one comment, and return the stored row',
  isWrite: true,
  makeRequest: (context) => ({ method: 'POST', path: '/comments', body: makeComment(context) }),
};
