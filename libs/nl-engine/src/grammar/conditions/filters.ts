import type { LinkedQuestion } from '../../link/linked-question.js';
import { isCalendar } from '../../resolve/column-kinds.js';
import { findLabel } from '../../resolve/find-label.js';
import type { Condition, Interpretation } from '../../types.js';
import { listDateWords } from '../../words/verbs.js';
import { wordSet } from '../../words/word-set.js';
import { readAgents } from '../implied-conditions/agents.js';
import { readBareConditions } from '../implied-conditions/bare-conditions.js';
import { readOwnedFlags, readPredicateFlags } from '../implied-conditions/flags.js';
import { readMostFrequentValue } from '../implied-conditions/most-frequent-values.js';
import { readStock } from '../implied-conditions/stock-levels.js';
import { readVerbColumns } from '../implied-conditions/verb-columns.js';
import { matchPhrase, type Parsed, phraseSet, remember, skipWords, wordAt } from '../reader.js';
import { isTie } from '../relations/connectives.js';
import { listDatesOfVerb } from '../relations/verb-references.js';
import { readMoneyCondition } from '../targets/totals.js';
import { LINKS, PREPOSITIONS } from '../word-classes.js';
import { isBe, skipUpToComparator } from './comparators.js';
import { readConditions } from './conditions.js';
import { readMissingColumn, readNamed, readTextSearch } from './name-conditions.js';
import { negate, placeCondition } from './place-condition.js';

const BEFORE_FILTER = wordSet(`
  ever can still if such with having has have had whose where of when for that which and but in by also , or
  is are was were who at the a an their its on been be being born located living live lives lived as under
  scored score contain contains from do does did both either
`);

/**
 * Parses a condition on rows that the question has already named, such as `whose age is over 20`, `with a
 * budget between 1 and 5`, `in Texas` or `and from 2009`.
 */
export function readFilters(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  if (interpretation.draft.focus < 0 && interpretation.draft.targets.length === 0) return [];
  const position = skipUpToComparator(q, interpretation.position, BEFORE_FILTER);
  const isOr = q.tokens.slice(interpretation.position, position).some((token) => token.lower === 'or');
  const verbAt = skipConnectingVerbs(q, position);
  const afterVerb = verbAt === position ? [] : readAfterVerb(q, interpretation, verbAt);
  const found = [
    ...afterVerb,
    ...readFiltersHere(q, interpretation.position),
    ...readTextSearch(q, skipWords(q, interpretation.position, LINKS), interpretation.draft),
    ...readFlagsAfterBe(q, interpretation.position),
  ];
  return found
    .filter((parsed) => parsed.position > interpretation.position)
    .flatMap((parsed) => placeCondition(q, interpretation, parsed, isOr));
}

/** Parses the conditions at a token that do not depend on earlier words. The results are cached. */
const readFiltersHere = remember((q: LinkedQuestion, from: number): readonly Parsed<Condition>[] => {
  const position = skipUpToComparator(q, from, BEFORE_FILTER);
  const named = matchPhrase(q, skipWords(q, from, LINKS), NAMED_PHRASES);
  return [
    ...readAgents(q, from),
    ...readVerbColumns(q, from),
    ...readNegated(q, position),
    ...readConditions(q, position),
    ...readBareConditions(q, from),
    ...(position > from ? readBareConditions(q, position) : []),
    ...(named > 0 ? readNamed(q, named) : []),
    ...readVerbWithTime(q, position),
    ...readOwnedFlags(q, from, position),
    ...readMissingColumn(q, position),
    ...readStock(q, from),
    ...(position > from ? readStock(q, position) : []),
    ...readMostFrequentValue(q, from),
    ...readMoneyCondition(q, from),
  ];
});

const NAMED_PHRASES = phraseSet(`
  named|called|titled|with the name|with name|with the title|is named|is called|are named|are called|
  whose name is|by the name of|entitled|with the names|are titled
`);

/**
 * Parses the name of a boolean column after a form of `be`, as in `that are active` and `that have not been
 * returned`.
 */
const readFlagsAfterBe = remember((q: LinkedQuestion, from: number): readonly Parsed<Condition>[] => {
  const position = skipUpToComparator(q, from, BEFORE_FILTER);
  return readPredicateFlags(q, from, position, isBe(q, position - 1));
});

/**
 * Skips verbs that only connect rows with their condition and name no column, as in `play the Defender
 * position` and `belong to the Jazz genre`.
 */
function skipConnectingVerbs(q: LinkedQuestion, from: number): number {
  let position = from;
  while (
    isTie(q, position) &&
    (q.columns[position] ?? []).every((span) => span.links.every((link) => link.cost >= 0.6))
  )
    position = skipWords(q, position + 1, AFTER_TIE);
  return position;
}

/**
 * Parses conditions after a connecting verb, with two exceptions. A name after `by` refers to another row
 * than the current ones. A time without a column name is omitted, because the verb may select its column.
 */
function readAfterVerb(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
): Parsed<Condition>[] {
  const focus = interpretation.draft.mentions[Math.max(0, interpretation.draft.focus)];
  const isBy = wordAt(q, position - 1) === 'by';
  const namesFocusRow = (condition: Condition): boolean =>
    condition.kind === 'value' &&
    condition.links.some(
      (link) =>
        focus?.links.some((table) => table.table === link.table) === true &&
        findLabel(link.table).includes(link.column),
    );
  const isUnnamedTime = (condition: Condition): boolean =>
    (condition.kind === 'compare' || condition.kind === 'between') &&
    condition.column.position === position &&
    condition.column.links.every((link) => q.lexicon.dateColumns.some((date) => date.column === link.column));
  return [
    ...readConditions(q, position),
    ...readBareConditions(q, position).filter((parsed) => !isUnnamedTime(parsed.value)),
  ]
    .filter((parsed) => !(isBy && namesFocusRow(parsed.value)))
    .map((parsed) => ({ ...parsed, cost: parsed.cost + (isBy ? 0.45 : 0.15) }));
}

const AFTER_TIE = wordSet('to the a an in at by with for from as on of');

/**
 * Parses a negated verb or preposition before a condition, as in `not living in Texas` and `not in the
 * History department`.
 */
const readNegated = remember(findNegated);

function findNegated(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const start = skipWords(q, from, wordSet('are is do does did was were who that but'));
  if (wordAt(q, start) !== 'not') return [];
  let position = start + 1;
  while (
    PREPOSITIONS.has(wordAt(q, position)) ||
    ['the', 'have', 'has', 'had'].includes(wordAt(q, position)) ||
    isTie(q, position)
  )
    position += 1;
  if (position === start + 1) return [];
  return [...readConditions(q, position), ...readBareConditions(q, position)].flatMap((parsed) => {
    const value = negate(parsed.value);
    return value === null ? [] : [{ ...parsed, value }];
  });
}

/**
 * Parses a time after a verb that selects the date column, as in `who joined in 2025` and `held after 2017`.
 */
function readVerbWithTime(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const word = wordAt(q, from);
  if (listDateWords(word) === null && listDatesOfVerb(q, word).length === 0) return [];
  return readBareConditions(q, from + 1)
    .filter(
      ({ value }) =>
        (value.kind === 'compare' || value.kind === 'between') &&
        value.column.links.every(
          (link) =>
            isCalendar(link.column) || link.column.valueKind === 'year' || /year/i.test(link.column.name),
        ),
    )
    .map((parsed) => ({ ...parsed, cost: parsed.cost + 0.1 }));
}
