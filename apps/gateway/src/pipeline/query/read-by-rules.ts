import { AppError } from '@rowhouse/errors';
import { answerQuestion, buildLexicon, type Lexicon, type Outcome } from '@rowhouse/nl-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { listReadable } from './list-readable.js';

/** One lexicon for each view of a schema; it goes when the view goes. */
const lexicons = new WeakMap<CompiledSnapshot, Lexicon>();
const WORDS_MAX = 10;

/** What the rules make of a question, over what the key may read and nothing else. `today` is the asker's day. */
export function readByRules(question: string, compiled: CompiledSnapshot, today: string): Outcome {
  return answerQuestion({ question, today }, lexiconOf(compiled));
}

/** Why the rules have no answer: `query.not_understood` 422 with the words not known and questions that work here, `query.ambiguous` 422 with the readings. */
export function toRulesError(outcome: Exclude<Outcome, { readonly kind: 'answer' }>, more: Readonly<Record<string, unknown>> = {}): AppError {
  if (outcome.kind === 'ambiguous') {
    return new AppError('query.ambiguous', {
      detail: `The question can be read as: ${outcome.choices.map((choice) => choice.explanation).join(' Or: ')}`,
      hint: 'Name the table or the column that is meant, or send one of the statements as SQL.',
      extra: { choices: outcome.choices.map(({ sql, params, explanation }) => ({ sql, params, explanation })), ...more },
    });
  }
  const unknown = outcome.unknown.slice(0, WORDS_MAX);
  return new AppError('query.not_understood', {
    detail: unknown.length > 0 ? `These words say nothing about this schema: ${unknown.join(', ')}.` : 'The words are known, but not what they ask for together.',
    hint: outcome.samples.length > 0 ? `Questions that work here: ${outcome.samples.join(' | ')}` : 'Send an SQL SELECT.',
    extra: { unknown, nearest: outcome.nearest, samples: outcome.samples, ...more },
  });
}

function lexiconOf(compiled: CompiledSnapshot): Lexicon {
  const known = lexicons.get(compiled);
  if (known !== undefined) return known;
  const made = buildLexicon({ snapshot: { ...compiled.snapshot, tables: listReadable(compiled) }, values: [], synonyms: [] });
  lexicons.set(compiled, made);
  return made;
}
