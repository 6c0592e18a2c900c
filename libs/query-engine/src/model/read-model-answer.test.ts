import { expect, it } from 'vitest';
import { isWriteRequest } from './is-write-request.js';
import { readModelAnswer } from './read-model-answer.js';

it.each([
  ['{"sql":"SELECT 1","reason":""}', 'SELECT 1'],
  ['{"SQL":"SELECT 1"}', 'SELECT 1'],
  ['[{"sql":"SELECT 1"}]', 'SELECT 1'],
  ['"SELECT 1"', 'SELECT 1'],
  ['Well: {"sql": "SELECT \'{\' AS a"} and so on', "SELECT '{' AS a"],
  ['{"sql": "SELECT \\"a\\"\\nFROM t",', 'SELECT "a"\nFROM t'],
  ['```SQL\nWITH a AS (SELECT 1) SELECT * FROM a\n```', 'WITH a AS (SELECT 1) SELECT * FROM a'],
  ['```\nDELETE FROM t\n```', 'DELETE FROM t'],
  ['SQLQuery: SELECT 1', 'SELECT 1'],
  ['SQL:\nSELECT 1', 'SELECT 1'],
  ['So:\n(\n  SELECT 1\n) UNION (SELECT 2)', '(\n  SELECT 1\n) UNION (SELECT 2)'],
  ['Because of this:\n(SELECT 1) UNION (SELECT 2)\n\nDone.', '(SELECT 1) UNION (SELECT 2)'],
])('readModelAnswer extracts the SQL from %s', (text, sql) => {
  expect(readModelAnswer(text)).toEqual({ kind: 'sql', sql });
});

it.each([
  '',
  'I cannot.',
  '{}',
  '[]',
  'null',
  '{"sql": 5}',
  '```python\nprint(1)\n```',
  '{"a": {"b": 1}}',
  'Please select one of the options',
])('readModelAnswer finds no SQL in %s', (text) => {
  expect(readModelAnswer(text)).toMatchObject({ kind: 'unreadable' });
});

/** Earlier versions of the code took minutes for these texts. If this happens again, the test times out. */
it.each([
  ['lines', `x${'\n'.repeat(1_000_000)}x`],
  ['parentheses', `x\n${'('.repeat(1_000_000)}x`],
  ['spaces', `x\n${'( '.repeat(500_000)}x`],
  ['labels', 'sql:\n'.repeat(200_000)],
  ['braces', '{'.repeat(1_000_000)],
  ['objects', '{x}'.repeat(300_000)],
  ['fences', '``` '.repeat(250_000)],
  ['texts', `sql:"${'\\a'.repeat(500_000)}`],
  ['quotes', `"sql" ${' '.repeat(1_000_000)}x`],
])('readModelAnswer processes an unusual model response in linear time: %s', (_name, text) => {
  expect(readModelAnswer(text).kind).toBe('unreadable');
});

it('readModelAnswer recognizes a model response that says it cannot answer', () => {
  expect(readModelAnswer('{"sql":null,"reason":"  no\\n weather "}')).toEqual({
    kind: 'unable',
    reason: 'no weather',
  });
  expect(readModelAnswer("{'sql': None, 'reason': \"x\"}")).toEqual({ kind: 'unable', reason: 'x' });
});

it.each([
  'Delete all posts',
  'please remove the user bob',
  'Could you drop the table',
  'update posts set title to x',
  'Set the price of tea to 5',
  'Add a new user called bob',
  'Create a tag red',
  'mark order 5 as paid',
  'rename the column',
  'Increase all prices by 10 %',
  'insert three tags',
  'truncate everything',
  'I want to delete my account',
  "let's archive old orders",
  'Move bob to sales',
])('the text %s is recognized as a request to write', (question) => {
  expect(isWriteRequest(question)).toBe(true);
});

it.each([
  'Which posts were deleted?',
  'How many users did we add last week?',
  'Show deleted users',
  'Update me on sales',
  'Add up all totals',
  'Create a list of users',
  'Make a report of orders by month',
  'Who changed the price?',
  'Give me the top ten',
  'What was inserted yesterday?',
  'Set of colours we sell',
  'create me an overview of orders',
  'Which drop shipments are late?',
  'list users without posts',
  'make a ranking of books',
])('the text %s is recognized as a question', (question) => {
  expect(isWriteRequest(question)).toBe(false);
});
