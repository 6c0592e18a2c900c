import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Interpretation } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { readVerbMeasure } from '../../words/adjectives.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { skipWords, wordAt } from '../reader.js';
import { addMention, advance } from '../draft.js';
import { wordSet } from '../../words/word-set.js';

const CLAUSE_VERBS = wordSet('have has had do does make get');
const PREPOSITIONS_AT_END = wordSet('in to on at for from with by');

/**
 * Parses a relative clause without a pronoun, which names the rows of the previously named columns. Examples
 * are `the average salary employees earn` and `last names actors have`.
 */
export function readClauseOwner(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { position, draft } = interpretation;
  const noun = q.tokens[position];
  if (
    draft.mentions.length > 0 ||
    noun?.lemma === noun?.lower ||
    draft.targets.some((target) => target.kind !== 'column' || target.column.owner !== null)
  )
    return [];
  return readEntities(q, position)
    .filter(
      (entity) =>
        entity.value.conditions.length + entity.value.orders.length === 0 &&
        !entity.value.isEach &&
        isClause(q, entity.position),
    )
    .map((entity) => {
      const placed = addMention(draft, { links: entity.value.links }, -1);
      const targets = draft.targets.map((target) =>
        target.kind === 'column' ? { ...target, column: { ...target.column, owner: 0 } } : target,
      );
      return advance(
        interpretation,
        skipWords(q, entity.position + 1, PREPOSITIONS_AT_END),
        entity.cost + 0.15,
        {
          ...placed,
          targets,
        },
      );
    });
}

/** Reports whether the clause ends with a verb at `position`, apart from prepositions. */
function isClause(q: LinkedQuestion, position: number): boolean {
  const word = wordAt(q, position);
  const next = q.tokens[skipWords(q, position + 1, PREPOSITIONS_AT_END)];
  return (
    (CLAUSE_VERBS.has(word) || isVerb(word) || readVerbMeasure(word) !== null) &&
    (next === undefined || next.kind === 'mark')
  );
}
