import type { DayNumber } from './dates/calendar.js';
import { readQuestion } from './grammar/read-question.js';
import { toDraftKey } from './grammar/draft-key.js';
import type { Lexicon } from './lexicon/lexicon.js';
import { linkQuestion } from './link/link-question.js';
import { type LinkedQuestion } from './link/linked-question.js';
import { RankedCandidates, type Candidate } from './ranked-candidates.js';
import { assign } from './resolve/assign.js';
import { type Assignment } from './resolve/assignment.js';
import { findLowerBound } from './resolve/find-floor.js';
import { saysEach } from './resolve/draft-references.js';
import { returnAllColumns } from './resolve/shown-labels.js';
import { buildSql } from './sql/build-sql.js';
import { splitContradiction } from './sql/split-contradiction.js';
import type { Statement } from './types.js';
import { tokenize } from './words/tokenize.js';
import { wordSet } from './words/word-set.js';
import { exactDigits, toNumberLiteral } from './words/number-literal.js';

const INTERPRETATIONS_MAX = 30;

/** The additional cost of each number or quoted text that the statement ignores. */
const IGNORED_VALUE_COST = 0.8;

/** The additional cost of ignoring an `or`. */
const IGNORED_OR_COST = 0.8;
const AFTER_COMPARATOR_OR = wordSet(`
  more less above below higher lower greater fewer over under better later earlier older younger larger
  smaller longer shorter after before equal not cheaper taller bigger heavier lighter faster slower worse
  stronger wider deeper up
`);

function ignoresOr(q: LinkedQuestion, { sql }: Statement): boolean {
  return (
    q.tokens.some(
      (token, index) =>
        token.lower === 'or' &&
        token.kind === 'word' &&
        !AFTER_COMPARATOR_OR.has(q.tokens[index + 1]?.lower ?? ''),
    ) && !/ OR |(?:NOT |!=).*(?:NOT |!=)/.test(sql)
  );
}

/** The additional cost of ignoring `each`. The statement then returns a single aggregate without GROUP BY. */
const IGNORED_EACH_COST = 0.3;

function ignoresEach(q: LinkedQuestion, { sql }: Statement, assignment: Assignment): boolean {
  return (
    saysEach(q, assignment) &&
    /^SELECT (?:DISTINCT )?(?:COUNT|SUM|AVG|MIN|MAX)\((?!\(SELECT)/.test(sql) &&
    !sql.includes(' GROUP BY ')
  );
}

/**
 * The additional cost of requiring two rows with the same returned value if the question does not contain a
 * word such as `both`. `the price of A and B` more probably asks for both prices.
 */
const BOTH_WITHOUT_WORD_COST = 0.6;
const BOTH = wordSet('both shared share common same');

function requiresBothWithoutWord(q: LinkedQuestion, assignment: Assignment): boolean {
  const split = splitContradiction(assignment, 0);
  return (
    split?.[0].at(-1)?.kind === 'value' &&
    split[1][0]?.kind === 'value' &&
    !q.tokens.some(({ lower }) => BOTH.has(lower))
  );
}

const TIME_UNITS = wordSet('day days week weeks month months quarter quarters year years hour hours');

/** Counts the numbers and quoted texts that the statement ignores. */
export function countIgnoredValues(
  q: LinkedQuestion,
  { sql, params }: Pick<Statement, 'sql' | 'params'>,
): number {
  const paramsText = params.map((param) => String(param).toLowerCase()).join('\u0000');
  return q.tokens.filter((token, index) => {
    // The words of a quoted full name may be compared with two columns, so each word is searched for
    // separately.
    if (token.kind === 'quoted')
      return !token.lower
        .replaceAll('%', '')
        .split(/\s+/)
        .every((word) => paramsText.includes(word));
    if (token.kind !== 'number' || token.value === 1) return false;
    const spellings = [String(token.value), exactDigits(toNumberLiteral(token))];
    if (TIME_UNITS.has(q.tokens[index + 1]?.lower ?? '')) return false;
    return (
      !spellings.some(
        (digits) =>
          paramsText.includes(digits) ||
          new RegExp(`(?<![\\w.])${digits.replace(/[+.]/g, '\\$&')}(?![\\w.])`).test(sql),
      ) &&
      !paramsText.includes(String(token.value + 1)) &&
      !paramsText.includes(String(token.value - 1)) &&
      !q.values.some((spans) =>
        spans.some(
          (span) =>
            span.from <= index &&
            index < span.to &&
            span.links.some((link) => paramsText.includes(link.value.toLowerCase())),
        ),
      )
    );
  }).length;
}

/** Returns the statements that the question may mean, ordered by cost and without duplicates. */
export function listCandidates(question: string, lexicon: Lexicon, today: DayNumber): Candidate[] {
  return [...rankCandidates(linkQuestion(tokenize(question), lexicon, today))];
}

/**
 * Returns the statements that a linked question may mean. They are computed only as far as the caller
 * iterates.
 */
export function rankCandidates(q: LinkedQuestion): RankedCandidates {
  const sources = readQuestion(q)
    .slice(0, INTERPRETATIONS_MAX)
    .map(({ draft, cost }) => ({
      lowerBound: findLowerBound(draft, cost),
      listAssignments: () => assign(draft, cost, q),
    }));
  return new RankedCandidates(sources, (assignment) => writeCandidate(q, returnAllColumns(assignment)));
}

function writeCandidate(q: LinkedQuestion, assignment: Assignment): Candidate | null {
  const statement = buildSql(assignment);
  if (statement === null) return null;
  const cost =
    assignment.cost +
    IGNORED_VALUE_COST * countIgnoredValues(q, statement) +
    (ignoresOr(q, statement) ? IGNORED_OR_COST : 0) +
    (ignoresEach(q, statement, assignment) ? IGNORED_EACH_COST : 0) +
    (requiresBothWithoutWord(q, assignment) ? BOTH_WITHOUT_WORD_COST : 0);
  return { ...statement, cost, assignment };
}

/** Returns the interpretations of a question as text. Useful for debugging the grammar. */
export function listInterpretations(question: string, lexicon: Lexicon, today: DayNumber): string[] {
  return readQuestion(linkQuestion(tokenize(question), lexicon, today)).map(
    (interpretation) => `${interpretation.cost.toFixed(2)} ${toDraftKey(interpretation.draft)}`,
  );
}
