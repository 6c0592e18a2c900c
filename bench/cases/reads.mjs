// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

/** @type {BenchCase} */
export const oneById = {
  name: 'one-by-id',
  says: 'GET one post by its id, with a different id each time',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts/${1 + Math.floor(random() * size.posts)}`,
  }),
};

/** @type {BenchCase} */
export const list20 = {
  name: 'list-20',
  says: 'GET the 20 posts before an id, with a different id each time',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?id__lt=${100 + Math.floor(random() * (size.posts - 100))}&sort=-id&limit=20`,
  }),
};

/** @type {BenchCase} */
export const list1000 = {
  name: 'list-1000',
  says: 'GET the 1,000 posts before an id, with a different id each time',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?id__lt=${1_001 + Math.floor(random() * (size.posts - 1_001))}&sort=-id&limit=1000`,
  }),
};

/** @type {BenchCase} */
export const listIncludeUser = {
  name: 'list-include-user',
  says: 'GET the 20 posts before an id, each with its author',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?id__lt=${100 + Math.floor(random() * (size.posts - 100))}&sort=-id&limit=20&include=user`,
  }),
};

/** @type {BenchCase} */
export const listIncludeComments = {
  name: 'list-include-comments',
  says: 'GET the 20 posts before an id, each with its comments (4 on average)',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?id__lt=${100 + Math.floor(random() * (size.posts - 100))}&sort=-id&limit=20&include=comments`,
  }),
};

/** @type {BenchCase} */
export const filterInclude = {
  name: 'filter-include',
  says: 'GET the newest 5 posts of a user with their comments',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/posts?user_id=${1 + Math.floor(random() * size.users)}&sort=-id&limit=5&include=comments`,
  }),
};

/** @type {BenchCase} */
export const like = {
  name: 'like',
  says: 'GET the users whose name starts with a prefix, using the index (at most 11)',
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/users?username__like=user${1 + Math.floor((random() * size.users) / 10)}%25&sort=id&limit=20`,
  }),
};

const PAGES_MAX = 200;
const PAGE_ROWS = 20;

/** @type {BenchCase} */
export const cursorPage = {
  name: 'cursor-page',
  says: 'GET one of 200 pages of 20 posts by its cursor',
  async gather(get, size) {
    const cursors = [''];
    // The last pages are not requested, because a target may announce an empty page after a full last page.
    while (cursors.length < Math.min(PAGES_MAX, size.posts / PAGE_ROWS - 1)) {
      const { headers } = await get(`/posts?sort=-id&limit=20&_cursor=${cursors.at(-1) ?? ''}`);
      const next = headers.get('x-next-cursor');
      if (next === null) break;
      cursors.push(next);
    }
    return cursors.slice(1);
  },
  makeRequest: ({ random, gathered }) => ({
    method: 'GET',
    path: `/posts?sort=-id&limit=20&_cursor=${gathered[Math.floor(random() * gathered.length)] ?? ''}`,
  }),
};

/** @type {BenchCase} */
export const stream = {
  name: 'stream',
  says: 'GET 10,000 comments as NDJSON; at most 4 connections',
  connectionsMax: 4,
  makeRequest: ({ random, size }) => ({
    method: 'GET',
    path: `/comments?id__lt=${10_001 + Math.floor(random() * Math.max(1, size.comments - 10_001))}&sort=-id&limit=10000`,
    headers: { Accept: 'application/x-ndjson' },
  }),
};
