import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { measureOver } from '../../test/measure-shop.js';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';

const tables = [
  rawTable('clubs', [
    rawColumn('id', 'int(11)'),
    rawColumn('name', 'varchar(50)'),
    rawColumn('division', 'varchar(50)'),
    rawColumn('founded', 'int(11)'),
    rawColumn('team', 'varchar(50)'),
  ]),
];
const lexicon = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
  values: [
    { table: 'clubs', column: 'division', values: ['Division 1', 'Division 2'] },
    { table: 'clubs', column: 'team', values: ['red', 'blue'] },
  ],
  synonyms: [],
});
const students = buildLexicon({
  snapshot: nameSnapshot(
    {
      engine: 'mariadb',
      tables: [
        rawTable(
          'student',
          [
            rawColumn('student_id', 'int(11)'),
            rawColumn('name', 'varchar(50)'),
            rawColumn('years', 'int(11)'),
          ],
          { primaryKey: ['student_id'] },
        ),
      ],
    },
    null,
  ),
  values: [],
  synonyms: [],
});
const isAnswered = (question: string): boolean =>
  answerQuestion({ question, today: '2026-11-21' }, lexicon).kind === 'answer';

it('numberTexts counts a number that no stored value of the compared text column equals', () => {
  expect(measureOver(lexicon, 'names of clubs whose division is not 1', '`division` != ?')).toMatchObject({
    numberTexts: 1,
  });
  expect(
    measureOver(lexicon, 'names of clubs whose division is not "Division 1"', '`division` != ?'),
  ).toMatchObject({ numberTexts: 0 });
  expect(isAnswered('names of clubs whose division is not 1')).toBe(false);
  expect(isAnswered('names of clubs whose division is not "Division 1"')).toBe(true);
});

it('bareKeys counts a compared key that the question only names as a target', () => {
  expect(measureOver(students, 'student ids for students over 20', '`student_id` > ?')).toMatchObject({
    bareKeys: 1,
    keyNumbers: 1,
  });
  expect(measureOver(students, 'names of students with an id above 20', '`student_id` > ?')).toMatchObject({
    bareKeys: 0,
  });
  expect(
    answerQuestion({ question: 'student ids for students over 20', today: '2026-11-21' }, students).kind,
  ).not.toBe('answer');
});

it('keyNumbers counts a year that is compared with a key', () => {
  expect(measureOver(students, 'names of students in 1995', '`student_id` = ?')).toMatchObject({
    keyNumbers: 1,
  });
  expect(measureOver(students, 'name of the student with id 1995', '`student_id` = ?')).toMatchObject({
    keyNumbers: 0,
  });
});

it('sharedOr counts alternatives next to a word such as "shared"', () => {
  expect(measureOver(lexicon, 'the founded shared by clubs of team red or team blue', ' OR ')).toMatchObject({
    sharedOr: 1,
  });
  expect(measureOver(lexicon, 'the founded of clubs of team red or team blue', ' OR ')).toMatchObject({
    sharedOr: 0,
  });
});
