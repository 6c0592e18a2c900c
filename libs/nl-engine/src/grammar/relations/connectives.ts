import type { LinkedQuestion } from '../../link/linked-question.js';
import { isFunctionWord } from '../../words/function-words.js';
import { isVerb } from '../../words/verbs.js';
import { wordSet } from '../../words/word-set.js';
import { readFlags } from '../implied-conditions/flags.js';
import { LINKS, PREPOSITIONS } from '../word-classes.js';
import { readQuantity } from './quantities.js';
import { remember, wordAt } from '../reader.js';

const AUXILIARY_WORDS = wordSet(`
  once still charge part responsible do does did is are was were have has had been be being can ever ever,
  currently also actually already both either they it there those
`);

/** Words between two requested values that express no relation between them. */
const SEPARATORS = wordSet(', and the their also its');

/** Words after which `name` or `order` is a noun instead of a verb. */
const BEFORE_NOUN = wordSet('and , the their its');

const NEGATIONS = wordSet("not never without no n't cannot except excluding");

interface ConnectiveMatch {
  /** The index after the connecting words, at which the related rows begin. */
  readonly to: number;
  readonly tie: Connective;
  /** Whether only separators such as `and` are between the nouns. */
  readonly onlyAnd: boolean;
}

/** Returns every possible end of the words between two nouns, with the relation that these words express. */
export const listTies = remember((q, from): readonly ConnectiveMatch[] => {
  const { end, words, isNegated, hasOr } = scanTie(q, from);
  const found: ConnectiveMatch[] = [];
  for (let start = from; start <= end; start += 1) {
    const used = q.tokens.slice(from, start).map((token) => token.lower);
    const isVerbTable = isVerb(wordAt(q, start)) && (q.tables[start] ?? []).length > 0;
    if (wordAt(q, start - 1) === 'no' && start > from && readQuantity(q, start - 1) !== null) continue;
    if (!isVerbTable && (start === from || used.every((word) => word === ','))) continue;
    const onlyAnd =
      !isVerbTable && used.every((word) => SEPARATORS.has(word)) && readQuantity(q, start) === null;
    const verbs = words.filter((word) => used.includes(word));
    const cost = verbs.reduce(
      (sum, word) => sum + (isVerb(word) ? (skipsVerbWithTable(q, from, start, word) ? 0.5 : 0.1) : 0.35),
      0,
    );
    const negated =
      isNegated && used.some((word, step) => NEGATIONS.has(word) || isNegatedByPrefix(q, from + step));
    found.push({
      to: start,
      onlyAnd,
      tie: { negated, verbs, cost, isOr: hasOr && used.includes('or'), isBut: used.includes('but') },
    });
  }
  return found;
});

/** Scans function words, verbs and negations up to a noun which they may connect with the previous one. */
function scanTie(
  q: LinkedQuestion,
  from: number,
): {
  readonly end: number;
  readonly words: readonly string[];
  readonly isNegated: boolean;
  readonly hasOr: boolean;
} {
  const words: string[] = [];
  let [position, isNegated, hasOr] = [from, false, false];
  for (let step = 0; step < 8; step += 1) {
    const word = wordAt(q, position);
    const isLinked = (q.tables[position] ?? []).length > 0 || (q.columns[position] ?? []).length > 0;
    if (word === 'or') hasOr = true;
    if (NEGATIONS.has(word) || isNegatedByPrefix(q, position)) isNegated = !isNegated;
    else if (words.at(-1) === wordAt(q, position - 1) && isParticle(wordAt(q, position - 1), word)) {
      /* Skips particles of verbs, as in `taken out` and `signed up for`. */
    } else if (
      LINKS.has(word) ||
      AUXILIARY_WORDS.has(word) ||
      PREPOSITIONS.has(word) ||
      word === 'the' ||
      word === 'any'
    ) {
      /* Skips function words, which have no meaning of their own. */
    } else if (
      (isTie(q, position) || isUnknownVerb(q, from, position)) &&
      !(isLinked && ((step > 0 && words.length > 0) || BEFORE_NOUN.has(wordAt(q, position - 1))))
    ) {
      words.push(word);
    } else break;
    position += 1;
  }
  return { end: position, words, isNegated, hasOr };
}

/**
 * Particles that do not change the meaning of their verbs. Other combinations change it, such as `put up
 * with`.
 */
const PARTICLES: readonly (readonly [particle: string, verbs: RegExp])[] = [
  ['out', /^(?:tak|took|carr|check|hand|giv|gave|send|sent|fill|rent|lend|lent|lease)/],
  ['up', /^(?:sign|set|pick|end)/],
  ['off', /^(?:drop|pay|paid)/],
  ['back', /^(?:bring|brought|giv|gave|pay|paid)/],
];

function isParticle(verb: string, word: string): boolean {
  return PARTICLES.some(([particle, verbs]) => particle === word && verbs.test(verb));
}

/**
 * Reports whether a skipped verb also names a table, such as `posted` in `posted but never commented`. The
 * interpretation then has a higher cost.
 */
function skipsVerbWithTable(q: LinkedQuestion, from: number, to: number, word: string): boolean {
  return q.tokens
    .slice(from, to)
    .some(
      (token, position) =>
        token.lower === word && position < to - from - 1 && (q.tables[from + position] ?? []).length > 0,
    );
}

/**
 * Reports whether a token is a verb that may connect nouns, instead of a name, a value or a boolean column.
 */
export const isTie = remember(
  (q, position): boolean =>
    isVerb(wordAt(q, position)) &&
    q.tokens[position]?.isCapital !== true &&
    (q.values[position] ?? []).every((span) => span.to > position + 1) &&
    readFlags(q, position).every(({ value }) => value.kind === 'null'),
);

/**
 * Reports whether the prefix `un` negates a verb, as in `unaffected by any allergy` and `unassigned to a
 * room`.
 */
const isNegatedByPrefix = remember((q, position): boolean => {
  const word = wordAt(q, position);
  return (
    /^un.+(?:ed|en)$/.test(word) &&
    isVerb(word.slice(2)) &&
    [q.tables, q.columns, q.values].every((spans) => (spans[position] ?? []).length === 0)
  );
});

/**
 * Reports whether an unknown word must be a verb because of the word before it, such as `who`, `does` or
 * `not`.
 */
function isUnknownVerb(q: LinkedQuestion, from: number, position: number): boolean {
  const token = q.tokens[position];
  if (
    token?.kind !== 'word' ||
    token.isCapital ||
    isFunctionWord(token.lower) ||
    (q.values[position] ?? []).length > 0 ||
    (q.tables[position] ?? []).length > 0 ||
    (q.columns[position] ?? []).length > 0
  )
    return false;
  return (
    (position > from && ['who', 'that', 'which', 'whom'].includes(wordAt(q, position - 1))) ||
    ['do', 'does', 'did', 'not', 'never', 'ever', 'can'].includes(wordAt(q, position - 1))
  );
}

/** The relation that the words between two nouns express. */
export interface Connective {
  readonly negated: boolean;
  readonly verbs: readonly string[];
  readonly cost: number;
  readonly isOr: boolean;
  /**
   * Whether one of the words is `but`, as in `… but no orders`. The related rows then probably belong to the
   * main rows.
   */
  readonly isBut: boolean;
}
