import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver } from '../../test/measure-shop.js';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { type Lexicon } from '../lexicon/lexicon.js';

const id = rawColumn('id', 'int(11)');
const toLexicon = (...tables: RawSchema['tables']): Lexicon =>
  buildLexicon({ snapshot: nameSnapshot({ engine: 'mariadb', tables }, null), values: [], synonyms: [] });
const isAnswered = (question: string, lexicon: Lexicon): boolean =>
  answerQuestion({ question, today: '2026-11-21' }, lexicon).kind === 'answer';

/**
 * For technicians, a birth place, a paid amount, a launch date and a captain, this schema contains only
 * similar names.
 */
const HARBOUR = toLexicon(
  rawTable(
    'crews',
    [
      rawColumn('technician_id', 'int(11)'),
      rawColumn('team', 'varchar(20)'),
      rawColumn('birth_date', 'date'),
      rawColumn('amount_claimed', 'int(11)'),
    ],
    { primaryKey: ['technician_id'] },
  ),
  rawTable(
    'boats',
    [
      id,
      rawColumn('name', 'varchar(50)'),
      rawColumn('launch', 'varchar(50)'),
      rawColumn('vice_captain', 'varchar(50)'),
      rawColumn('crew_id', 'int(11)'),
    ],
    { foreignKeys: [foreignKey('boats', 'crew_id', 'crews')] },
  ),
);

describe('measureColumns', () => {
  it('keyCompares counts a compared key that the question does not name', () => {
    expect(measureOver(HARBOUR, 'teams with at least 2 technicians', '>=')).toMatchObject({ keyCompares: 1 });
    expect(measureOver(HARBOUR, 'teams of crews with a technician id above 2', '>')).toMatchObject({
      keyCompares: 0,
    });
    expect(isAnswered('teams with at least 2 technicians', HARBOUR)).toBe(false);
  });

  it('cutShort counts a partial column name that is followed by an unknown word', () => {
    expect(measureOver(HARBOUR, 'what is the most common birth place of crews?', 'birth_date')).toMatchObject(
      { cutShort: 1 },
    );
    expect(measureOver(HARBOUR, 'what is the most common birth date of crews?', 'birth_date')).toMatchObject({
      cutShort: 0,
    });
    expect(measureOver(HARBOUR, 'total amount paid of crews', 'amount_claimed')).toMatchObject({
      cutShort: 1,
    });
    expect(isAnswered('what is the most common birth place of crews?', HARBOUR)).toBe(false);
  });

  it('otherKinds counts a date phrase that was linked to a column without dates', () => {
    expect(measureOver(HARBOUR, 'launch dates of boats', 'launch')).toMatchObject({ otherKinds: 1 });
    expect(measureOver(HARBOUR, 'birth dates of crews', 'birth_date')).toMatchObject({ otherKinds: 0 });
    expect(isAnswered('launch dates of boats', HARBOUR)).toBe(false);
  });

  it('altered counts a column whose name has an additional word that changes its meaning', () => {
    expect(measureOver(HARBOUR, 'captains of boats', 'vice_captain')).toMatchObject({ altered: 1 });
    expect(measureOver(HARBOUR, 'vice captains of boats', 'vice_captain')).toMatchObject({ altered: 0 });
    expect(isAnswered('captains of boats', HARBOUR)).toBe(false);
  });
});
