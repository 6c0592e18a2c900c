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

/** @type {BenchCase} */
export const update = {
  name: 'update',
  says: 'PATCH the title of a post, and return the changed row',
  isWrite: true,
  makeRequest: ({ random, size }) => ({
    method: 'PATCH',
    path: `/posts/${1 + Math.floor(random() * size.posts)}`,
    body: { title: `title ${Math.floor(random() * 1e9).toString(36)}` },
  }),
};

/**
 * Creates a row before each delete, because deletes alone would soon run out of rows.
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

const BULK_ROWS = 100;

/** @type {BenchCase} */
export const bulkCreate = {
  name: 'bulk-create',
  says: 'POST 100 comments at once, and return the stored rows',
  isWrite: true,
  makeRequest: (context) => ({
    method: 'POST',
    path: '/comments',
    body: Array.from({ length: BULK_ROWS }, () => makeComment(context)),
  }),
};
