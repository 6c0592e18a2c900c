import { memoizeByObject, type Column, type Table } from '@rowhouse/schema-model';
import { remember, skipWords, wordAt } from '../grammar/reader.js';
import { DETERMINERS } from '../grammar/word-classes.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Span } from '../types.js';
import { readAdjective } from '../words/adjectives.js';
import { toRoot } from '../words/inflect.js';
import { isFunctionWord } from '../words/function-words.js';
import { isVerb, ASKING_VERBS } from '../words/verbs.js';
import { listUsedNames, wordsOf } from './statement-parts.js';
import { wordSet } from '../words/word-set.js';
import { isNumeric } from '../resolve/column-kinds.js';

const DETERMINER_WORDS = wordSet('of the a an all total different distinct their its');

/**
 * Requests that a question may contain. Each has the name of the feature, a pattern for the words of the
 * request, and a pattern that fulfilling statements match. No statement matches `^$`, so such a feature
 * depends on the words only.
 */
const REQUESTS = [
  ['unsaidEach', /\b(?:each|every|per)\b/, /GROUP BY|AVG\(\(SELECT/],
  ['unsaidDistinct', /\b(?:distinct|different|unique)\b/, /DISTINCT|GROUP BY/],
  [
    'unsaidMost',
    /\b(?:most|least|fewest|highest|lowest|largest|smallest|biggest|greatest|top|best|maximum|minimum)\b/,
    /ORDER BY|MAX\(|MIN\(|>=? ?\(SELECT|[<>]=? \d|BETWEEN \d/,
  ],
  [
    'unsaidNot',
    /\b(?:not|no|never|without|except|neither|nor|excluding|none|n't)\b/,
    /NOT|!=| IS NULL|= 0\b|\bfalse\b|[<>]|BETWEEN/,
  ],
  ['unsaidAverage', /\b(?:average|mean|avg)\b/, /AVG\(|`[^`]*(?:avg|average|mean)[^`]*`/i],
  ['unsaidTotal', /\b(?:total|sum)\b/, /SUM\(|COUNT\(|`[^`]*(?:total|sum)[^`]*`/i],
  [
    'unsaidCount',
    /\b(?:how many|number of|count)\b/,
    /COUNT\(|`[^`]*(?:num|count|total|no_|quantity|amount|how_many)[^`]*`/i,
  ],
  // `the numbers of all flights` may ask for flight numbers instead of a count.
  ['unsaidNumbers', /\bnumbers of\b/, /^(?!SELECT COUNT\()|GROUP BY/],
  ['unsaidOr', /\b(?:or|either)\b/, / OR |>=|<=|BETWEEN|(?:NOT |!=).*(?:NOT |!=)/],
  [
    'unsaidOrder',
    /\b(?:sort|sorted|order|ordered|ordering|alphabetical|alphabetically|ascending|descending|increasing|decreasing)\b/,
    /ORDER BY|`[^`]*order[^`]*`/i,
  ],
  [
    'unsaidSort',
    /\b(?:ascending|descending|alphabetical|alphabetically|sorted|in (?:increasing|decreasing) order|in order of|in the order of|ordered by|sort by|order by)\b/,
    /ORDER BY|`[^`]*order[^`]*`/i,
  ],
  [
    'unsaidMore',
    /\b(?:more|fewer|less|greater|higher|lower|larger|smaller|older|younger) than\b/,
    / (?:[<>]=?|BETWEEN) /,
  ],
  ['saysBoth', /\bboth\b/, /^$/],
  // The question does not show to which conditions `and` or `but` belongs.
  ['eitherAnd', /\beither\b.*\bor\b.*\b(?:and|but)\b/, /^$/],
  ['saysAll', /\ball of|\bthan all\b|\bthan any\b|\bthan every\b/, /^$/],
  ['saysOnly', /\bonly\b/, /^$/],
  ['saysSame', /\b(?:same|other|another|others)\b/, /^$/],
  ['saysAlso', /\b(?:also|but|as well)\b/, /^$/],
  ['saysOrder', /\bfirst|\blast\b/, /ORDER BY|`[^`]*(?:first|last)[^`]*`/i],
  ['saysThan', /\bthan\b/, /[<>]|BETWEEN/],
] as const satisfies readonly (readonly [name: string, words: RegExp, sql: RegExp])[];

type RequestName = (typeof REQUESTS)[number][0];

interface NamedObject {
  readonly table: Table;
  readonly column?: Column;
  readonly cost: number;
}

/**
 * The cost of a link below which a word that the statement does not use is considered a name in the schema.
 */
const NEAR_COST = 0.3;
const SPAN_MAX = 8;

/** Returns features for requests and words in the question that the statement does not express. */
export function scoreUnexplained(candidate: Candidate, q: LinkedQuestion) {
  const { untouched, loose, unknown, looseVerbs, coveredTokens } = findUnexplainedWords(candidate, q);
  const unfulfilled = Object.fromEntries(listUnfulfilledRequests(candidate, q)) as Readonly<
    Record<RequestName, number>
  >;
  return {
    ...unfulfilled,
    unsaidCount: unfulfilled.unsaidCount === 1 ? countLostNumbers(candidate, q) : 0,
    untouched,
    loose,
    unknown,
    looseVerbs,
    explained: [...coveredTokens].filter((index) => q.tokens[index]?.lemma !== 'name').length,
  };
}

type UnexplainedFeatures = readonly (readonly [name: RequestName, isUnsaid: number])[];

const unfulfilledByCandidate = new WeakMap<Candidate, UnexplainedFeatures>();

function listUnfulfilledRequests(candidate: Candidate, q: LinkedQuestion): UnexplainedFeatures {
  const requested = findRequestsInQuestion(q);
  const found =
    unfulfilledByCandidate.get(candidate) ??
    REQUESTS.map(
      ([name, , inSql], index) =>
        [name, requested[index] === true && !inSql.test(candidate.sql) ? 1 : 0] as const,
    );
  unfulfilledByCandidate.set(candidate, found);
  return found;
}

/** Reports for each of the `REQUESTS` whether the question contains its words. */
const findRequestsInQuestion = memoizeByObject(({ tokens }: LinkedQuestion): readonly boolean[] => {
  const text = tokens
    .filter((token) => token.kind !== 'quoted')
    .map((token) => token.lower)
    .join(' ');
  return REQUESTS.map(([, words]) => words.test(text));
});

interface UnexplainedWords {
  /**
   * `untouched` is the number of words that closely match a name in the schema which the statement does not
   * use. `loose` counts words that match such a name less closely, and `unknown` counts words that match no
   * name.
   */
  readonly untouched: number;
  readonly loose: number;
  readonly unknown: number;
  /**
   * The number of verbs that have no root in common with a name in the statement. Verbs of requests, such as
   * `list`, are not counted.
   */
  readonly looseVerbs: number;
  /** The indexes of tokens that the statement expresses by a name or value. */
  readonly coveredTokens: ReadonlySet<number>;
}

/**
 * Reports whether the words and requests that one statement expresses are a proper subset of those that
 * another expresses.
 */
export function explainsLess(candidate: Candidate, other: Candidate, q: LinkedQuestion): boolean {
  const [own, others] = [
    findUnexplainedWords(candidate, q).coveredTokens,
    findUnexplainedWords(other, q).coveredTokens,
  ];
  if ([...own].some((index) => !others.has(index))) return false;
  const [ownRequests, otherRequests] = [
    listUnfulfilledRequests(candidate, q),
    listUnfulfilledRequests(other, q),
  ];
  if (ownRequests.some(([, isUnsaid], index) => isUnsaid === 0 && otherRequests[index]?.[1] === 1))
    return false;
  return (
    own.size < others.size ||
    ownRequests.some(([, isUnsaid], index) => isUnsaid === 1 && otherRequests[index]?.[1] === 0)
  );
}

const known = new WeakMap<Candidate, UnexplainedWords>();

function findUnexplainedWords(candidate: Candidate, q: LinkedQuestion): UnexplainedWords {
  const found = known.get(candidate) ?? findUntouched(candidate, q);
  known.set(candidate, found);
  return found;
}

function findUntouched(candidate: Candidate, q: LinkedQuestion): UnexplainedWords {
  const usedNames = listUsedNames(candidate);
  const wordsOfUsedColumns = new Set(
    [...candidate.assignment.columns.values(), ...candidate.assignment.values.values()].flatMap(
      (bound) => q.lexicon.columnWords.get(bound.column) ?? [],
    ),
  );
  const texts = candidate.params
    .filter((param) => typeof param === 'string')
    .map((param) => param.toLowerCase());
  const roots = new Set([...usedNames].flatMap((entry) => wordsOf(entry, q)).map(toRoot));
  // A word to which a column was assigned does not refer to another table.
  const columnPositions = new Set([...candidate.assignment.columns.keys()].map((ref) => ref.position));
  const coveredTokens = new Set<number>();
  const showsEverything = candidate.assignment.draft.targets.some((target) => target.kind === 'everything');
  let [untouched, loose, unknown, looseVerbs] = [0, 0, 0, 0];
  for (const [index, token] of q.tokens.entries()) {
    if (
      index > 1 &&
      isVerb(token.lower) &&
      !token.isCapital &&
      !ASKING_VERBS.has(token.lower) &&
      !roots.has(toRoot(token.lower)) &&
      !texts.includes(token.lower)
    )
      looseVerbs += 1;
    if (token.kind !== 'word' || isFunctionWord(token.lower) || readAdjective(token.lower) !== null) continue;
    const links = listLinksAt(q, index);
    if (
      columnPositions.has(index) ||
      links.some((link) => usedNames.has(link.column ?? link.table)) ||
      texts.some((param) => param.includes(token.lower))
    ) {
      coveredTokens.add(index);
      continue;
    }
    if (
      isRequestWord(q, index, usedNames) ||
      wordsOfUsedColumns.has(token.lemma) ||
      (showsEverything && DETAIL_NOUNS.has(token.lemma))
    )
      continue;
    // Verbs such as `placed` or `ordered` match names in the schema by coincidence.
    if (isVerb(token.lower) && !isNoun(q, index)) continue;
    // A word may be the opposite of a column's name, such as `available` for `unavailable`.
    if (
      links.some((link) => link.cost < NEAR_COST) ||
      (links.length === 0 && NEGATING_PREFIXES.some((start) => q.lexicon.words.has(start + token.lower)))
    )
      untouched += 1;
    else if (links.length > 0) loose += 1;
    else unknown += 1;
  }
  return { untouched, loose, unknown, looseVerbs, coveredTokens };
}

/** Words that ask for all columns of a row. */
const DETAIL_NOUNS = wordSet('detail information info data everything record');

const BEFORE_NOUN = new Set([
  ...DETERMINERS,
  'of',
  'and',
  'or',
  ',',
  'for',
  'with',
  'without',
  'no',
  'per',
  'many',
  'more',
  'most',
]);

/**
 * Reports whether a word that is a plural or a verb is a noun here, as in `movies and books` and `movie
 * reviews`.
 */
function isNoun(q: LinkedQuestion, index: number): boolean {
  const [token, before] = [q.tokens[index], wordAt(q, index - 1)];
  if (token === undefined || token.lemma === token.lower) return false;
  return BEFORE_NOUN.has(before) || ((q.tables[index - 1] ?? []).length > 0 && !isVerb(before));
}

const NEGATING_PREFIXES = ['un', 'in', 'non'];

/**
 * Reports whether a word belongs to a phrase that only expresses a request or a relation, such as `sort the
 * names`, `names of states`, `numbers of orders`, `all information about` or `in charge of`.
 */
function isRequestWord(q: LinkedQuestion, index: number, usedNames: ReadonlySet<Column | Table>): boolean {
  const { tokens } = q;
  const [before, word, following] = [
    tokens[index - 1]?.lower,
    tokens[index]?.lemma ?? '',
    tokens[index + 1]?.lower,
  ];
  if (word === 'sort' || word === 'information') return true;
  if (word === 'charge') return before === 'in' && following === 'of';
  if (word === 'name' && following === 'of') {
    const next = skipWords(q, index + 2, DETERMINERS);
    return (q.columns[next] ?? []).some((span) =>
      span.links.some((link) => link.cost < NEAR_COST && usedNames.has(link.column)),
    );
  }
  return ['number', 'list'].includes(word) && following === 'of';
}

/** Returns the links of all word sequences that contain the token. */
const listLinksAt = remember((q, index): readonly NamedObject[] =>
  [q.tables, q.columns, q.values].flatMap((spans) => listLinks(spans, index)),
);

function listLinks(spans: readonly (readonly Span<NamedObject>[])[], index: number): NamedObject[] {
  return spans
    .slice(Math.max(0, index - SPAN_MAX + 1), index + 1)
    .flat()
    .flatMap((span) => (span.from <= index && index < span.to ? span.links : []));
}

/**
 * Counts requested numbers that the statement returns neither as a count or sum nor from a column. An example
 * is `the number of floors` if no column stores floors. A number in a column's name is not counted, such as a
 * phone number.
 */
export function countLostNumbers({ assignment, sql }: Candidate, q: LinkedQuestion): number {
  if (/\b(?:COUNT|SUM)\(/.test(sql)) return 0;
  const usedNames = new Set([...assignment.columns.values()].map((bound) => bound.column));
  return q.tokens.filter((token, index) => {
    const following = skipNumberWords(q, index);
    if (following < 0) return false;
    const isPartOfName = q.columns
      .slice(0, index + 1)
      .flat()
      .some((span) => index < span.to && span.links.some((link) => usedNames.has(link.column)));
    return (
      !isPartOfName &&
      !(q.columns[skipWords(q, following, DETERMINER_WORDS)] ?? []).some((span) =>
        span.links.some((link) => usedNames.has(link.column) && isNumeric(link.column)),
      )
    );
  }).length;
}

/**
 * Returns the index after words at `index` that ask for a number, such as `how many`. Returns -1 for other
 * words.
 */
function skipNumberWords(q: LinkedQuestion, index: number): number {
  const [word, next] = [wordAt(q, index), wordAt(q, index + 1)];
  if (word === 'how' && next === 'many') return index + 2;
  if ((word === 'number' || word === 'numbers') && next === 'of') return index + 2;
  return word === 'count' || word === 'counts' ? index + 1 : -1;
}
