import type { LinkedQuestion } from '../link/link-question.js';
import type { Comparison } from '../types.js';
import { matchPhrase, type PhraseSet, phraseSet, wordAt } from './reader.js';

const PHRASES: readonly (readonly [Comparison, PhraseSet])[] = [
  ['>=', phraseSet('at least|no less than|not less than|no fewer than|greater than or equal to|more than or equal to|larger than or equal to|higher than or equal to|a minimum of|minimum of|not below|no lower than|> =|>=|or more than')],
  ['<=', phraseSet('at most|no more than|not more than|less than or equal to|fewer than or equal to|smaller than or equal to|lower than or equal to|up to|a maximum of|maximum of|not above|no greater than|no higher than|not over|< =|<=')],
  ['>', phraseSet('more than|greater than|larger than|higher than|bigger than|over|above|exceeding|exceeds|exceed|exceeded|better than|in excess of|beyond|more expensive than|>|surpassing|longer than|taller than|heavier than|older than|greater|larger|higher|bigger')],
  ['<', phraseSet('less than|fewer than|smaller than|lower than|below|under|cheaper than|worse than|beneath|<|shorter than|lighter than|younger than|smaller|lower|less')],
  ['!=', phraseSet('not equal to|other than|different from|not equals|! =|!=|< >|except for|except|besides|outside|excluding')],
  ['=', phraseSet('equal to|equals|exactly|just|precisely|exactly equal to|the same as|=|equaling|identical to')],
];
const TIME_PHRASES: readonly (readonly [Comparison, PhraseSet])[] = [
  ['>', phraseSet('after|later than|newer than|more recent than')],
  ['<', phraseSet('before|earlier than|prior to|older than')],
  ['>=', phraseSet('since|starting from|from|on or after')],
  ['<=', phraseSet('until|on or before|by')],
];
const BEHIND: readonly (readonly [Comparison, PhraseSet])[] = [
  ['>=', phraseSet('or more|or above|or higher|or greater|or over|or better|or larger|or older|or longer|and above|or later|or after|and later|and after|onwards|and more|and over')],
  ['<=', phraseSet('or less|or below|or fewer|or lower|or under|or smaller|or younger|or earlier|or before|and before|and earlier|and below|or cheaper')],
];

export interface Comparator {
  readonly op: Comparison;
  readonly at: number;
}

/** `more than`, `at least`, … in front of a number or a value. */
export function readComparator(q: LinkedQuestion, at: number): Comparator | null {
  return longest(q, at, PHRASES);
}

/** `after`, `before`, `since`: only in front of a year or a date. */
export function readTimeComparator(q: LinkedQuestion, at: number): Comparator | null {
  return longest(q, at, TIME_PHRASES);
}

/** `3 or more`: what follows the number. */
export function readComparatorBehind(q: LinkedQuestion, at: number): Comparator | null {
  return longest(q, at, BEHIND);
}

function longest(q: LinkedQuestion, at: number, list: typeof PHRASES): Comparator | null {
  let best: Comparator | null = null;
  for (const [op, phrases] of list) {
    const to = matchPhrase(q, at, phrases);
    if (to > (best?.at ?? -1)) best = { op, at: to };
  }
  return best;
}

export const FLIPPED: Readonly<Record<Comparison, Comparison>> = { '=': '!=', '!=': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

export function isBe(q: LinkedQuestion, at: number): boolean {
  return ['is', 'are', 'was', 'were', 'be', 'been', 'being'].includes(wordAt(q, at));
}

/** Past small words, but not past those of a comparator: `of at least 3`. */
export function skipUpToComparator(q: LinkedQuestion, from: number, words: ReadonlySet<string>): number {
  let at = from;
  while (words.has(wordAt(q, at)) && readComparator(q, at) === null) at += 1;
  return at;
}
