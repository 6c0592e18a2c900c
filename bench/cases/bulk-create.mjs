// @ts-check
import { makeComment } from '../lib/make-comment.mjs';

/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

const ROWS = 100;

/** @type {BenchCase} */
export const bulkCreate = {
  name: 'bulk-create',
  says: 'POST 100 comments at once, and return the stored rows',
  isWrite: true,
  makeRequest: (context) => ({
    method: 'POST',
    path: '/comments',
    body: Array.from({ length: ROWS }, () => makeComment(context)),
  }),
};
