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

const READINGS_MAX = 30;

/** The cost of a number or quoted text in the question that the statement does not contain. */
const UNSAID_COST = 0.8;

/** The cost of an `or` that the statement does not express. */
const LOST_OR_COST = 0.8;
const OR_MORE = wordSet(`
  more less above below higher lower greater fewer over under better later earlier older younger larger
  smaller longer shorter after before equal not cheaper taller bigger heavier lighter faster slower worse
  stronger wider deeper up
`);

function losesOr(q: LinkedQuestion, { sql }: Statement): boolean {
  return (
    q.tokens.some(
      (token, index) =>
        token.lower === 'or' && token.kind === 'word' && !OR_MORE.has(q.tokens[index + 1]?.lower ?? ''),
    ) && !/ OR |(?:NOT |!=).*(?:NOT |!=)/.test(sql)
  );
}

/** The cost of an `each` in the question when the statement has no aggregate. */
const LOST_EACH_COST = 0.3;

function losesEach(q: LinkedQuestion, { sql }: Statement, assignment: Assignment): boolean {
  return (
    saysEach(q, assignment) &&
    /^SELECT (?:DISTINCT )?(?:COUNT|SUM|AVG|MIN|MAX)\((?!\(SELECT)/.test(sql) &&
    !sql.includes(' GROUP BY ')
  );
}

/**
 * The cost of reading `the price of A and B` as a price
 * that both have, since the question does not say "both".
 */
const BARE_DUPLICATE_COST = 0.6;
const BOTH = wordSet('both shared share common same');

function isBareDuplicate(q: LinkedQuestion, assignment: Assignment): boolean {
  const split = splitContradiction(assignment, 0);
  return (
    split?.[0].at(-1)?.kind === 'value' &&
    split[1][0]?.kind === 'value' &&
    !q.tokens.some(({ lower }) => BOTH.has(lower))
  );
}

const TIMES = wordSet('day days week weeks month months quarter quarters year years hour hours');

/** Counts numbers and quoted texts of the question without a counterpart in the statement. */
export function countUnsaid(q: LinkedQuestion, { sql, params }: Pick<Statement, 'sql' | 'params'>): number {
  const message = params.map((param) => String(param).toLowerCase()).join('\u0000');
  return q.tokens.filter((token, index) => {
    // A full name can be split over two columns.
    if (token.kind === 'quoted')
      return !token.lower
        .replaceAll('%', '')
        .split(/\s+/)
        .every((word) => message.includes(word));
    if (token.kind !== 'number' || token.value === 1) return false;
    const spellings = [String(token.value), exactDigits(toNumberLiteral(token))];
    if (TIMES.has(q.tokens[index + 1]?.lower ?? '')) return false;
    return (
      !spellings.some(
        (digits) =>
          message.includes(digits) ||
          new RegExp(`(?<![\\w.])${digits.replace(/[+.]/g, '\\$&')}(?![\\w.])`).test(sql),
      ) &&
      !message.includes(String(token.value + 1)) &&
      !message.includes(String(token.value - 1)) &&
      !q.values.some((spans) =>
        spans.some(
          (span) =>
            span.from <= index &&
            index < span.to &&
            span.links.some((link) => message.includes(link.value.toLowerCase())),
        ),
      )
    );
  }).length;
}

/** Returns the statements that the question may mean, cheapest first and without duplicates. */
export function listCandidates(question: string, lexicon: Lexicon, today: DayNumber): Candidate[] {
  return [...rankCandidates(linkQuestion(tokenize(question), lexicon, today))];
}

/** Returns the statements that a linked question may mean. They are computed as far as they are read. */
export function rankCandidates(q: LinkedQuestion): RankedCandidates {
  const sources = readQuestion(q)
    .slice(0, READINGS_MAX)
    .map(({ draft, cost }) => ({
      floor: findLowerBound(draft, cost),
      list: () => assign(draft, cost, q),
    }));
  return new RankedCandidates(sources, (assignment) => write(q, returnAllColumns(assignment)));
}

function write(q: LinkedQuestion, assignment: Assignment): Candidate | null {
  const statement = buildSql(assignment);
  if (statement === null) return null;
  const cost =
    assignment.cost +
    UNSAID_COST * countUnsaid(q, statement) +
    (losesOr(q, statement) ? LOST_OR_COST : 0) +
    (losesEach(q, statement, assignment) ? LOST_EACH_COST : 0) +
    (isBareDuplicate(q, assignment) ? BARE_DUPLICATE_COST : 0);
  return { ...statement, cost, assignment };
}

/** Returns the interpretations of a question as text, for debugging the grammar. */
export function listInterpretations(question: string, lexicon: Lexicon, today: DayNumber): string[] {
  return readQuestion(linkQuestion(tokenize(question), lexicon, today)).map(
    (interpretation) => `${interpretation.cost.toFixed(2)} ${toDraftKey(interpretation.draft)}`,
  );
}
