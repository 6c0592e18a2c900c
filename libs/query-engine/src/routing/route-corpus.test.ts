import { describe, expect, it } from 'vitest';
import { readCorpora } from '../../test/read-corpus.js';
import { routeQuery } from './route-query.js';

const CORPORA = readCorpora();

describe('routeQuery with texts as people write them', () => {
  it('there are at least 500 texts of each kind without repetitions in a schema', () => {
    for (const kind of ['sql', 'questions'] as const)
      expect(
        CORPORA.reduce((count, corpus) => count + corpus[kind].length, 0),
        kind,
      ).toBeGreaterThanOrEqual(500);
    for (const corpus of CORPORA) {
      const all = [...corpus.sql, ...corpus.broken, ...corpus.questions].map((line) => line.toLowerCase());
      expect(
        all.filter((line, position) => all.indexOf(line) !== position),
        corpus.name,
      ).toEqual([]);
    }
  });

  describe.each(CORPORA)('$name', ({ schema, sql, broken, questions }) => {
    it('SQL is recognized as SQL', () => {
      expect(sql.filter((line) => routeQuery(line, schema).kind !== 'sql')).toEqual([]);
    });

    it('SQL with a mistake is recognized as SQL, valid or not', () => {
      expect(broken.filter((line) => routeQuery(line, schema).kind === 'question')).toEqual([]);
    });

    it('questions are recognized as questions', () => {
      expect(questions.filter((line) => routeQuery(line, schema).kind !== 'question')).toEqual([]);
    });
  });
});
