// @ts-check
import { makeComment } from '../lib/make-comment.mjs';

/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/**
 * Creates a row before deleting it, since deletes alone would soon run out of rows.
 * @type {BenchCase}
 */
export const createDelete = {
  name: 'create-delete',
  says: 'POST a comment, then DELETE it, alternating on each connection',
  isWrite: true,
  readsAnswers: true,
  makeRequest(context) {
    const id = /^\{"id":(\d+)/.exec(context.lastBody ?? '')?.[1];
    return id === undefined
      ? { method: 'POST', path: '/comments', body: makeComment(context) }
      : { method: 'DELETE', path: `/comments/${id}` };
  },
};
