// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

const PAGES_MAX = 200;
const ROWS = 20;

/** @type {BenchCase} */
export const cursorPage = {
  name: 'cursor-page',
  says: 'GET one of 200 pages of 20 posts by its cursor',
  async gather(get, size) {
    const cursors = [''];
    // The last pages are left out, since a target may announce an empty page after them.
    while (cursors.length < Math.min(PAGES_MAX, size.posts / ROWS - 1)) {
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
