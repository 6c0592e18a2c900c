// @ts-check
/** @typedef {import('../lib/bench-case.mjs').BenchCase} BenchCase */

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
