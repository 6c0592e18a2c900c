import type { LinkedQuestion } from '../link/link-question.js';
import type { Reading } from '../types.js';
import { isVerb } from '../words/verbs.js';
import { readVerbMeasure } from '../words/adjectives.js';
import { readEntities } from './noun-phrase.js';
import { addMention, advance, skipWords, wordAt } from './reader.js';

const HAVE = new Set(['have', 'has', 'had', 'do', 'does', 'make', 'get']);
const LAST = new Set(['in', 'to', 'on', 'at', 'for', 'from', 'with', 'by']);

/**
 * Parses a clause without an introducing word that names the rows of the columns before it:
 * `the average salary employees earn`, `last names actors have`.
 */
export function readClauseOwner(q: LinkedQuestion, reading: Reading): Reading[] {
  const { at, draft } = reading;
  const noun = q.tokens[at];
  if (draft.mentions.length > 0 || noun?.lemma === noun?.lower || draft.targets.some((target) => target.kind !== 'column' || target.column.owner !== null)) return [];
  return readEntities(q, at).filter((entity) => entity.value.conditions.length + entity.value.orders.length === 0 && !entity.value.isEach && isClause(q, entity.at)).map((entity) => {
    const placed = addMention(draft, { links: entity.value.links }, -1);
    const targets = draft.targets.map((target) => (target.kind === 'column' ? { ...target, column: { ...target.column, owner: 0 } } : target));
    return advance(reading, skipWords(q, entity.at + 1, LAST), entity.cost + 0.15, { ...placed, targets });
  });
}

/** Returns whether the question ends after a verb. */
function isClause(q: LinkedQuestion, at: number): boolean {
  const word = wordAt(q, at);
  const next = q.tokens[skipWords(q, at + 1, LAST)];
  return (HAVE.has(word) || isVerb(word) || readVerbMeasure(word) !== null) && (next === undefined || next.kind === 'mark');
}
