import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { isKindOf } from './parallel-keys.js';

const id = rawColumn('id', 'int(11)');
const snapshot = nameSnapshot(
  {
    engine: 'mariadb',
    tables: [
      rawTable('people', [id, rawColumn('name', 'varchar(50)'), rawColumn('height', 'int(11)')]),
      rawTable('divers', [id, rawColumn('depth', 'int(11)'), rawColumn('person_id', 'int(11)')], {
        foreignKeys: [foreignKey('divers', 'person_id', 'people')],
      }),
      rawTable('addresses', [id, rawColumn('city', 'varchar(50)')]),
      rawTable('delivery_addresses', [id, rawColumn('address_id', 'int(11)')], {
        foreignKeys: [foreignKey('delivery_addresses', 'address_id', 'addresses')],
      }),
      rawTable(
        'person_addresses',
        [id, rawColumn('person_id', 'int(11)'), rawColumn('address_id', 'int(11)')],
        {
          foreignKeys: [
            foreignKey('person_addresses', 'person_id', 'people'),
            foreignKey('person_addresses', 'address_id', 'addresses'),
          ],
        },
      ),
    ],
  },
  null,
);
const lexicon = buildLexicon({ snapshot, values: [], synonyms: [] });

it.each([
  ['divers', 'people', true],
  ['delivery_addresses', 'addresses', true],
  ['person_addresses', 'addresses', false],
  ['divers', 'addresses', false],
])('isKindOf reports whether each row of %s is a row of %s: %s', (own, other, is) => {
  const find = (name: string) =>
    snapshot.tables.find((table) => table.name === name) ??
    (() => {
      throw new Error(name);
    })();
  expect(isKindOf(find(own), find(other), lexicon)).toBe(is);
});

it('a question for a column of divers returns the column of the related people rows', () => {
  expect(
    answerQuestion({ question: 'What is the depth of the tallest diver?', today: '2026-11-21' }, lexicon),
  ).toMatchObject({ kind: 'answer', sql: expect.stringContaining('ORDER BY t2.`height` DESC') as string });
});
