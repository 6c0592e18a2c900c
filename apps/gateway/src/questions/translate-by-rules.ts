import { AppError } from '@rowhouse/errors';
import { answerQuestion, type Outcome } from '@rowhouse/nl-engine';
import type { QuestionContext } from './question-context.js';

const WORDS_MAX = 10;

/**
 * Translates a question by rules, with the schema as the key sees it, values of the rows and the project's
 * synonyms. If the question is not understood and newer values exist, it is translated once more with these
 * values.
 */
export async function readByRules({
  services,
  tenant,
  compiled,
  request,
  today,
}: QuestionContext): Promise<Outcome> {
  const vocabulary = await services.vocabularies.read(tenant.database);
  const read = async (current: typeof vocabulary): Promise<Outcome> =>
    answerQuestion({ question: request.query, today }, await services.lexicons.of(tenant, compiled, current));
  const outcome = await read(vocabulary);
  if (outcome.kind !== 'refused' || !(await services.vocabularies.awaitNewer(tenant.database, vocabulary)))
    return outcome;
  return await read(await services.vocabularies.read(tenant.database));
}

/**
 * Converts a rejection by the rules to an error. `query.not_understood` (422) lists the unknown words and
 * questions that work, or explains that the schema has no tables. `query.ambiguous` (422) lists the
 * interpretations.
 */
export function toRulesError(
  outcome: Exclude<Outcome, { readonly kind: 'answer' }>,
  more: Readonly<Record<string, unknown>> = {},
): AppError {
  if (outcome.kind === 'ambiguous') {
    return new AppError('query.ambiguous', {
      detail:
        'The question has more than one interpretation: ' +
        `${outcome.choices.map((choice) => choice.explanation).join(' Or: ')}`,
      hint: 'Name the table or column that you mean, or send one of the statements as SQL.',
      extra: {
        choices: outcome.choices.map(({ sql, params, explanation }) => ({ sql, params, explanation })),
        ...more,
      },
    });
  }
  if (outcome.isEmpty) {
    return new AppError('query.not_understood', {
      detail: 'This database has no tables yet, or none that this key may read.',
      hint: 'Create a table first, or use a key that can read more tables.',
      extra: { unknown: [], nearest: [], samples: [], ...more },
    });
  }
  const unknown = outcome.unknown.slice(0, WORDS_MAX);
  return new AppError('query.not_understood', {
    detail:
      unknown.length > 0
        ? `No table, column or value matches: ${unknown.join(', ')}.`
        : 'The words match the schema, but their combination was not understood.',
    hint:
      outcome.samples.length > 0 ? `Try one of these: ${outcome.samples.join(' | ')}` : 'Send an SQL SELECT.',
    extra: { unknown, nearest: outcome.nearest, samples: outcome.samples, ...more },
  });
}
