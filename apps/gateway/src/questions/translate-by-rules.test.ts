import { answerQuestion, buildLexicon } from '@rowhouse/nl-engine';
import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { toRulesError } from './translate-by-rules.js';

const refuse = (tables: Parameters<typeof nameSnapshot>[0]['tables'], question: string) => {
  const outcome = answerQuestion(
    { question, today: '2026-11-21' },
    buildLexicon({ snapshot: nameSnapshot({ engine: 'mariadb', tables }, null), values: [], synonyms: [] }),
  );
  if (outcome.kind === 'answer') throw new Error('answered');
  return toRulesError(outcome);
};

it('a question to an empty schema gets an error that says what to do', () => {
  const error = refuse([], 'how many users are there?');
  expect(error).toMatchObject({ code: 'query.not_understood', extra: { unknown: [], samples: [] } });
  expect(error.message).toContain('no tables');
  expect(error.hint).toContain('Create a table first');
});

it('the error for a question lists the words that the schema does not contain', () => {
  const error = refuse(
    [rawTable('users', [rawColumn('id', 'int(11)'), rawColumn('name', 'varchar(50)')])],
    'how many zebras are there?',
  );
  expect(error.message).toContain('zebras');
  expect(error.message).not.toContain('no tables');
});
