import { AppError } from '@rowhouse/errors';
import { answerQuestion, buildLexicon, type Lexicon, type Reply } from '@rowhouse/nl-engine';
import type { CompiledSnapshot, Table } from '@rowhouse/schema-model';
import { findToday } from './find-today.js';
import type { QueryRequest } from './query-request.js';

/** One lexicon for each view of a schema; it goes when the view goes. */
const lexicons = new WeakMap<CompiledSnapshot, Lexicon>();
const WORDS_MAX = 10;

/**
 * A question as SQL, over what the key may read and nothing else.
 * @throws AppError `query.not_understood` 422 with the words not known and questions that work here, `query.ambiguous` 422 with the readings
 */
export function translateQuestion(request: QueryRequest, compiled: CompiledSnapshot, nowMs: number): Reply {
  if (request.engine === 'llm') {
    throw new AppError('query.not_understood', { detail: 'No language model is set up on this installation.', hint: 'Send the question with "engine": "rules", or an SQL SELECT.' });
  }
  const outcome = answerQuestion({ question: request.query, today: findToday(nowMs, request.timezone) }, lexiconOf(compiled));
  switch (outcome.kind) {
    case 'answer':
      return outcome;
    case 'ambiguous':
      throw new AppError('query.ambiguous', {
        detail: `The question can be read as: ${outcome.choices.map((choice) => choice.explanation).join(' Or: ')}`,
        hint: 'Name the table or the column that is meant, or send one of the statements as SQL.',
        extra: { choices: outcome.choices.map(({ sql, params, explanation }) => ({ sql, params, explanation })) },
      });
    case 'refused': {
      const unknown = outcome.unknown.slice(0, WORDS_MAX);
      throw new AppError('query.not_understood', {
        detail: unknown.length > 0 ? `These words say nothing about this schema: ${unknown.join(', ')}.` : 'The words are known, but not what they ask for together.',
        hint: outcome.samples.length > 0 ? `Questions that work here: ${outcome.samples.join(' | ')}` : 'Send an SQL SELECT.',
        extra: { unknown, nearest: outcome.nearest, samples: outcome.samples },
      });
    }
  }
}

function lexiconOf(compiled: CompiledSnapshot): Lexicon {
  const known = lexicons.get(compiled);
  if (known !== undefined) return known;
  const made = buildLexicon({ snapshot: { ...compiled.snapshot, tables: listReadable(compiled) }, values: [], synonyms: [] });
  lexicons.set(compiled, made);
  return made;
}

/** Tables and columns as the key sees them: what it may not read must not even be a word. */
function listReadable(compiled: CompiledSnapshot): Table[] {
  return compiled.tableNames.flatMap((name) => {
    const found = compiled.findByName(name);
    const table = compiled.snapshot.tables.find((one) => one.name === name);
    if (found === null || table === undefined || !found.verbs.includes('read')) return [];
    const shown = new Set(found.shown.map((column) => column.name));
    const isShown = (names: readonly string[]): boolean => names.every((column) => shown.has(column));
    return [{
      ...table,
      columns: table.columns.filter((column) => shown.has(column.name)),
      primaryKey: table.primaryKey !== null && isShown(table.primaryKey) ? table.primaryKey : null,
      foreignKeys: table.foreignKeys.filter((key) => isShown(key.columns)),
    }];
  });
}
