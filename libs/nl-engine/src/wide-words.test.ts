import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { answerQuestion } from './answer-question.js';
import { buildLexicon } from './lexicon/build-lexicon.js';
import { isShortQuestion, QUESTION_LENGTH_MAX, tokenize } from './words/tokenize.js';

function makeSchema(tables: number, columns: number): Snapshot {
  const raw = Array.from({ length: tables }, (_, index) =>
    rawTable(
      `tab_${index}`,
      [
        rawColumn('id', 'int'),
        ...Array.from({ length: columns }, (_column, column) =>
          rawColumn(`customer_name_${column}_${index}`, 'varchar(40)'),
        ),
      ],
      { primaryKey: ['id'] },
    ),
  );
  return nameSnapshot({ engine: 'mariadb', tables: raw }, null);
}

/**
 * Counts how often the cost of a link to a column is read. Every interpretation reads the costs of all links
 * of a word.
 */
function countLinkReads(
  snapshot: Snapshot,
  question: string,
): { readonly kind: string; readonly reads: number } {
  const lexicon = buildLexicon({ snapshot, values: [], synonyms: [] });
  let readCount = 0;
  for (const link of new Set([...lexicon.columns.values()].flat())) {
    const { cost } = link;
    Object.defineProperty(link, 'cost', { get: () => ((readCount += 1), cost) });
  }
  return { kind: answerQuestion({ question, today: '2026-11-21' }, lexicon).kind, reads: readCount };
}

it('a question with a word for thousands of columns is refused without reading every match', () => {
  const { kind, reads: readCount } = countLinkReads(makeSchema(300, 20), 'how many customers by name');
  expect(kind).toBe('refused');
  expect(readCount).toBeLessThan(50_000);
});

it('a question is answered even if hundreds of tables have a name column', () => {
  const named = Array.from({ length: 400 }, (_, index) =>
    rawTable(
      `thing${index}`,
      [rawColumn('id', 'int'), rawColumn('name', 'varchar(40)'), rawColumn('city', 'varchar(40)')],
      { primaryKey: ['id'] },
    ),
  );
  const customers = rawTable(
    'customers',
    [rawColumn('id', 'int'), rawColumn('name', 'varchar(40)'), rawColumn('city', 'varchar(40)')],
    { primaryKey: ['id'] },
  );
  const lexicon = buildLexicon({
    snapshot: nameSnapshot({ engine: 'mariadb', tables: [...named, customers] }, null),
    values: [],
    synonyms: [],
  });
  expect(answerQuestion({ question: 'names of customers', today: '2026-11-21' }, lexicon)).toMatchObject({
    kind: 'answer',
    sql: expect.stringContaining('`customers`'),
  });
});

it('isShortQuestion rejects a question that Unicode normalization expands beyond the limit', () => {
  const question = '\ufdfa'.repeat(1_900);
  expect(isShortQuestion(question)).toBe(false);
  expect(isShortQuestion('a'.repeat(QUESTION_LENGTH_MAX))).toBe(true);
  expect(tokenize(question).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(
    QUESTION_LENGTH_MAX,
  );
});

it('a question with hundreds of conditions is refused without reading every interpretation', () => {
  const { kind, reads: readCount } = countLinkReads(makeSchema(4, 5), `tab_0 with id ${'1 or '.repeat(380)}`);
  expect(kind).toBe('refused');
  expect(readCount).toBeLessThan(5_000);
});
