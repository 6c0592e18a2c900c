import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { tokenize } from '../words/tokenize.js';
import { linkQuestion } from './link-question.js';

const tables = [
  rawTable('products', [
    rawColumn('id', 'int(11)'),
    rawColumn('unit_of_measure', 'varchar(20)'),
    rawColumn('prereq', 'varchar(20)'),
    rawColumn('teaches', 'varchar(20)'),
  ]),
];
const lexicon = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
  values: [],
  synonyms: [],
});

it.each([
  ['measurement', 'measure'],
  ['prerequisites', 'prereq'],
  ['prodcuts', 'product'],
  ['teacher', 'teacher'],
  ['mountaineer', 'mountaineer'],
])('the word "%s" is read as "%s"', (word, lemma) => {
  expect(linkQuestion(tokenize(word), lexicon, 20_000).tokens[0]?.lemma).toBe(lemma);
});

it.each([
  ['"Rome."', 'Rome'],
  ['"Acme Inc."', 'Acme Inc.'],
  ['"Paris."', 'Paris.'],
])('a period inside quotes is dropped if only the text without it is a stored value: %s', (written, text) => {
  const known = buildLexicon({
    snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
    values: [{ table: 'products', column: 'teaches', values: ['Rome', 'Acme Inc.'] }],
    synonyms: [],
  });
  expect(linkQuestion(tokenize(written), known, 20_000).tokens[0]?.text).toBe(text);
});

it('"phone number" is linked to the phone column even if the table has a number column', () => {
  const pupils = [
    rawTable('pupils', [rawColumn('pupil_num', 'int(11)'), rawColumn('pupil_phone', 'varchar(20)')]),
  ];
  const known = buildLexicon({
    snapshot: nameSnapshot({ engine: 'mariadb', tables: pupils }, null),
    values: [],
    synonyms: [],
  });
  const spans = linkQuestion(tokenize('phone number'), known, 20_000).columns[0] ?? [];
  expect(spans.find((span) => span.to === 2)?.links[0]?.column.name).toBe('pupil_phone');
});

it('the cache of unknown words is limited to a few hundred entries', () => {
  for (let index = 0; index < 1_200; index += 1)
    linkQuestion(
      tokenize(
        `wordlike${String.fromCodePoint(97 + (index % 26), 97 + (Math.floor(index / 26) % 26), 97 + Math.floor(index / 676))}`,
      ),
      lexicon,
      20_000,
    );
  expect(lexicon.corrections.size).toBeGreaterThan(0);
  expect(lexicon.corrections.size).toBeLessThanOrEqual(500);
});
