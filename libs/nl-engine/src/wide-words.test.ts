import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { answerQuestion } from './answer-question.js';
import { buildLexicon } from './lexicon/build-lexicon.js';
import { isShortQuestion, QUESTION_LENGTH_MAX, tokenize } from './words/tokenize.js';

function makeSchema(tables: number, columns: number): Snapshot {
  const raw = Array.from({ length: tables }, (_, at) => rawTable(`tab_${at}`, [rawColumn('id', 'int'), ...Array.from({ length: columns }, (_column, column) => rawColumn(`customer_name_${column}_${at}`, 'varchar(40)'))], { primaryKey: ['id'] }));
  return nameSnapshot({ engine: 'mariadb', tables: raw }, null);
}

/** How often it was asked how near a word is to a column: each reading asks that of all that the word may stand for. */
function countLooks(snapshot: Snapshot, question: string): { readonly kind: string; readonly looks: number } {
  const lexicon = buildLexicon({ snapshot, values: [], synonyms: [] });
  let looks = 0;
  for (const link of new Set([...lexicon.columns.values()].flat())) {
    const { cost } = link;
    Object.defineProperty(link, 'cost', { get: () => ((looks += 1), cost) });
  }
  return { kind: answerQuestion({ question, today: '2026-11-21' }, lexicon).kind, looks };
}

it('a word that stands for thousands of columns says nothing, and is not read in every way', () => {
  const { kind, looks } = countLooks(makeSchema(300, 20), 'how many customers by name');
  expect(kind).toBe('refused');
  expect(looks).toBeLessThan(50_000);
});

it('hundreds of tables whose rows have a name each are asked as ever', () => {
  const named = Array.from({ length: 400 }, (_, at) => rawTable(`thing${at}`, [rawColumn('id', 'int'), rawColumn('name', 'varchar(40)'), rawColumn('city', 'varchar(40)')], { primaryKey: ['id'] }));
  const customers = rawTable('customers', [rawColumn('id', 'int'), rawColumn('name', 'varchar(40)'), rawColumn('city', 'varchar(40)')], { primaryKey: ['id'] });
  const lexicon = buildLexicon({ snapshot: nameSnapshot({ engine: 'mariadb', tables: [...named, customers] }, null), values: [], synonyms: [] });
  expect(answerQuestion({ question: 'names of customers', today: '2026-11-21' }, lexicon)).toMatchObject({ kind: 'answer', sql: expect.stringContaining('`customers`') });
});

it('a question is as long as what it is read as: one character may stand for eighteen', () => {
  const question = '\ufdfa'.repeat(1_900);
  expect(isShortQuestion(question)).toBe(false);
  expect(isShortQuestion('a'.repeat(QUESTION_LENGTH_MAX))).toBe(true);
  expect(tokenize(question).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(QUESTION_LENGTH_MAX);
});

it('a question of hundreds of conditions is refused, and not read in every way', () => {
  const { kind, looks } = countLooks(makeSchema(4, 5), `tab_0 with id ${'1 or '.repeat(380)}`);
  expect(kind).toBe('refused');
  expect(looks).toBeLessThan(5_000);
});
