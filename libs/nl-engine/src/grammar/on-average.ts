import { wordSet } from '../words/word-set.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import type { Interpretation, Target } from '../types.js';
import { matchPhrase, phraseSet, skipWords } from './reader.js';
import { advance } from './draft.js';

/** Averages the only number shown, as in `how old is each gender, on average?`. */
export function readOnAverage(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = matchPhrase(
    q,
    skipWords(q, interpretation.position, wordSet(',')),
    phraseSet('on average|on an average'),
  );
  const { targets } = interpretation.draft;
  const numbers = targets.filter(isNumber);
  if (position < 0 || numbers.length !== 1) return [];
  return [
    advance(interpretation, position, 0.1, {
      targets: targets.map((target) =>
        isNumber(target)
          ? { ...target, column: { ...target.column, isBehind: true }, fn: 'avg' as const }
          : target,
      ),
    }),
  ];
}

function isNumber(target: Target): target is Target & { readonly kind: 'column' } {
  return (
    target.kind === 'column' &&
    target.fn === null &&
    target.column.links.some((link) => isNumeric(link.column))
  );
}
