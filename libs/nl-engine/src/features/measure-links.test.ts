import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver, measureShop } from '../../test/measure-shop.js';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { type Lexicon } from '../lexicon/lexicon.js';

const id = rawColumn('id', 'int(11)');
const toLexicon = (...tables: RawSchema['tables']): Lexicon =>
  buildLexicon({ snapshot: nameSnapshot({ engine: 'mariadb', tables }, null), values: [], synonyms: [] });
/** In this schema, skippers have no name and are not boats. Divers are people, who have a name. */
const HARBOUR = toLexicon(
  rawTable('boats', [id, rawColumn('name', 'varchar(50)')]),
  rawTable('skippers', [id, rawColumn('licence', 'varchar(50)'), rawColumn('boat_id', 'int(11)')], {
    foreignKeys: [foreignKey('skippers', 'boat_id', 'boats')],
  }),
  rawTable('people', [id, rawColumn('name', 'varchar(50)')]),
  rawTable('divers', [id, rawColumn('depth', 'int(11)'), rawColumn('person_id', 'int(11)')], {
    foreignKeys: [foreignKey('divers', 'person_id', 'people')],
  }),
);
/** In this schema, the only name in the table of nurses is that of a ward. */
const WARDS = toLexicon(
  rawTable('nurses', [id, rawColumn('ward_name', 'varchar(50)'), rawColumn('shift', 'int(11)')]),
);

/** In this schema, only the key identifies a valve. */
const VALVES = toLexicon(
  rawTable('valves', [rawColumn('code', 'varchar(9)'), rawColumn('width', 'int(11)')], {
    primaryKey: ['code'],
  }),
  rawTable('pipes', [id, rawColumn('name', 'varchar(50)')]),
);

describe('measureLinks', () => {
  it('otherNames counts a name column of rows other than the requested ones', () => {
    expect(measureOver(HARBOUR, 'names of skippers', '`boats`')).toMatchObject({ otherNames: 1 });
    expect(measureOver(HARBOUR, 'names of divers', '`people`')).toMatchObject({ otherNames: 0 });
    expect(answerQuestion({ question: 'names of skippers', today: '2026-11-21' }, HARBOUR).kind).not.toBe(
      'answer',
    );
    expect(answerQuestion({ question: 'names of divers', today: '2026-11-21' }, HARBOUR).kind).toBe('answer');
  });

  it('keyNames counts a key that is returned in place of a name', () => {
    expect(measureOver(VALVES, 'names of valves', 't1.`code`')).toMatchObject({ keyNames: 1 });
    expect(measureOver(WARDS, 'names of nurses', '`ward_name`')).toMatchObject({ partNames: 1 });
    expect(measureOver(WARDS, 'ward names of nurses', '`ward_name`')).toMatchObject({ partNames: 0 });
    expect(measureShop('names of products')).toMatchObject({
      keyNames: 0,
      partNames: 0,
      otherNames: 0,
      joinedShown: 0,
    });
  });

  it('joinedShown and joinedUsed count columns of tables that the question does not mention', () => {
    expect(measureShop('prices of suppliers', '`price`')?.['joinedShown'] ?? 1).toBe(1);
    expect(measureShop('names of products')).toMatchObject({ joinedShown: 0, joinedUsed: 0 });
    expect(measureOver(HARBOUR, 'how many boats with a licence of "A"?', '`skippers`')).toMatchObject({
      joinedUsed: 1,
    });
    expect(
      answerQuestion({ question: 'how many boats with a licence of "A"?', today: '2026-11-21' }, HARBOUR)
        .kind,
    ).not.toBe('answer');
    expect(
      answerQuestion(
        { question: 'how many boats have a skipper with a licence of "A"?', today: '2026-11-21' },
        HARBOUR,
      ).kind,
    ).toBe('answer');
  });

  it('unmatchedHeads counts an unknown plural noun after a table', () => {
    expect(measureShop('list all product labels', 'SELECT t1.`name`')?.['unmatchedHeads'] ?? 1).toBe(1);
    expect(measureShop('list all products')).toMatchObject({ unmatchedHeads: 0 });
    // This question asks for labels and not for the number of products.
    expect(measureShop('number of distinct product labels', 'DISTINCT')?.['unmatchedHeads'] ?? 1).toBe(1);
  });
});
