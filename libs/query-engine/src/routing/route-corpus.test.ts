import { describe, expect, it } from 'vitest';
import { readCorpora } from '../../test/read-corpus.js';
import { routeQuery } from './route-query.js';

const CORPORA = readCorpora();

describe('routeQuery with texts as people write them', () => {
  it('the test texts include at least 500 different texts of each kind', () => {
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
    it('routeQuery recognizes the SQL among the test texts', () => {
      expect(sql.filter((line) => routeQuery(line, schema).kind !== 'sql')).toEqual([]);
    });

    it('routeQuery recognizes SQL with a mistake as SQL', () => {
      expect(broken.filter((line) => routeQuery(line, schema).kind === 'question')).toEqual([]);
    });

    it('routeQuery recognizes the questions among the test texts', () => {
      expect(questions.filter((line) => routeQuery(line, schema).kind !== 'question')).toEqual([]);
    });
  });
});
