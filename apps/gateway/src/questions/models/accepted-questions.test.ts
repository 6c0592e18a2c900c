import { expect, it } from 'vitest';
import { createAcceptedQuestions } from './accepted-questions.js';

const GUARD = { tables: ['users', 'posts'], hiddenNames: ['secrets'], schemaName: 'pabc' };
const PAIRS = [
  { question: 'how many active users are there', sql: 'SELECT COUNT(*) FROM users' },
  { question: 'how many active secrets are there', sql: 'SELECT COUNT(*) FROM secrets' },
  { question: 'how many active posts were removed', sql: 'DELETE FROM posts' },
  { question: 'colours of the rainbow', sql: 'SELECT 1' },
  ...Array.from({ length: 5 }, (_, index) => ({
    question: `posts of day ${index}`,
    sql: `SELECT ${index} FROM posts`,
  })),
];

it('the most similar accepted questions that the key may run are found', async () => {
  const requests: string[] = [];
  const accepted = createAcceptedQuestions(
    { listAccepted: async (databaseId) => (requests.push(databaseId), databaseId === 'db_a' ? PAIRS : []) },
    () => undefined,
  );
  expect(
    (await accepted.find('db_a', 'How many active users, secrets and posts are there?', GUARD)).map(
      (pair) => pair.sql,
    ),
  ).toEqual(['SELECT COUNT(*) FROM users']);
  expect(await accepted.find('db_a', 'posts of each day', GUARD)).toHaveLength(3);
  expect(await accepted.find('db_a', 'something else', GUARD)).toEqual([]);
  expect(await accepted.find('db_b', 'How many active users are there?', GUARD)).toEqual([]);
  expect(requests).toEqual(['db_a', 'db_b']);
});

it('accepted questions are read again after 20 s, or reused when that fails', async () => {
  let nowMs = 0;
  let isUnavailable = false;
  let reads = 0;
  let faults = 0;
  const accepted = createAcceptedQuestions(
    {
      async listAccepted() {
        reads += 1;
        if (isUnavailable) throw new Error('away');
        return PAIRS;
      },
    },
    () => (faults += 1),
    () => nowMs,
  );
  const find = async (): Promise<number> =>
    (await accepted.find('db_a', 'how many active users', GUARD)).length;
  expect([await find(), await find(), reads]).toEqual([1, 1, 1]);
  nowMs = 20_000;
  isUnavailable = true;
  expect([await find(), reads, faults]).toEqual([1, 2, 1]);
});
