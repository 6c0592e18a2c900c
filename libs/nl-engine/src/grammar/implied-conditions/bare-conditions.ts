import { toValueKey } from '../../lexicon/index-values.js';
import type { LinkedQuestion } from '../../link/linked-question.js';
import { isCalendar, isYear } from '../../resolve/column-kinds.js';
import type { ColumnLink, ColumnRef, Condition, Literal, ValueLink } from '../../types.js';
import { listDateWords } from '../../words/verbs.js';
import { wordSet } from '../../words/word-set.js';
import { readBetween, readComparatorAfter, readTimeComparator } from '../conditions/comparators.js';
import { readPeriods, readValues } from '../conditions/values.js';
import { type Parsed, remember, saysBoth, skipWords, wordAt } from '../reader.js';
import { listDatesOfVerb } from '../relations/verb-references.js';

/**
 * Parses a stored value, a year or a period for which the question names no column. The condition applies to
 * the current mention.
 */
export const readBareConditions = remember(findBareConditions);

function findBareConditions(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const found: Parsed<Condition>[] = [];
  const position = skipWords(
    q,
    from,
    wordSet(`
  in from at of by with on the is are was were as for to under city state both either
`),
  );
  const [start, negated] =
    wordAt(q, position) === 'not'
      ? [skipWords(q, position + 1, wordSet('in from at the a')), true]
      : [position, false];
  for (const value of readValues(q, start)) {
    if (value.value.links.length === 0) continue;
    const condition: Condition = { kind: 'value', links: value.value.links, negated, owner: null };
    found.push(
      {
        position: value.position,
        cost: value.cost + (start === from ? 0.2 : 0) + costOfVerbAsValue(q, start),
        value: condition,
      },
      ...readFurtherValues(q, value.position, condition, value.cost),
    );
  }
  found.push(...readFullNames(q, position), ...readYears(q, from), ...readBothYears(q, from));
  for (const period of readPeriods(q, from))
    found.push({
      position: period.position,
      cost: 0.1,
      value: {
        kind: 'compare',
        column: {
          links: listDatesOf(q, from).filter((link) => isCalendar(link.column)),
          owner: null,
          position: from,
        },
        op: '=',
        value: period.value,
      },
    });
  return found;
}

const VERB_TABLE_COST = 0.6;

const BEFORE_TIME = wordSet('in on during since after before between last this today yesterday');

/**
 * Returns the additional cost of interpreting a verb as a stored value. It is higher if a time follows and a
 * date column has the verb's name. `closed last month` then refers to the column `closed_at` instead of a
 * state `closed`.
 */
export function costOfVerbAsValue(q: LinkedQuestion, position: number): number {
  return BEFORE_TIME.has(wordAt(q, position + 1)) && listDatesOfVerb(q, wordAt(q, position)).length > 0
    ? VERB_TABLE_COST
    : 0;
}

/** Parses two consecutive values as the first and last name of one row, as in `Janessa Sawayn`. */
function readFullNames(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const found: Parsed<Condition>[] = readQuotedName(q, from);
  for (const first of q.values[from] ?? []) {
    for (const last of q.values[first.to] ?? []) {
      for (const a of first.links) {
        const b = last.links.find(
          (link) =>
            link.table === a.table &&
            link.column !== a.column &&
            /first|given|fore|f_?name|personal/i.test(a.column.name) &&
            /last|family|sur|l_?name/i.test(link.column.name),
        );
        if (b === undefined) continue;
        const part = (link: ValueLink): Condition => ({
          kind: 'value',
          links: [link],
          negated: false,
          owner: null,
        });
        found.push({ position: last.to, cost: 0, value: { kind: 'all', parts: [part(a), part(b)] } });
      }
    }
  }
  return found;
}

/** Parses a quoted full name as a first and a last name, as in `"Aaron Turon"`. */
function readQuotedName(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const token = q.tokens[from];
  const words = token?.kind === 'quoted' ? token.text.trim().split(/\s+/) : [];
  if (words.length !== 2) return [];
  const [first, last] = words.map((word) => q.lexicon.values.get(toValueKey(word)) ?? []);
  const found: Parsed<Condition>[] = [];
  for (const a of first ?? []) {
    const b = last?.find(
      (link) =>
        link.table === a.table &&
        link.column !== a.column &&
        /first|given|fore|f_?name|personal/i.test(a.column.name) &&
        /last|family|sur|l_?name/i.test(link.column.name),
    );
    const part = (link: ValueLink): Condition => ({
      kind: 'value',
      links: [link],
      negated: false,
      owner: null,
    });
    if (b !== undefined)
      found.push({ position: from + 1, cost: 0, value: { kind: 'all', parts: [part(a), part(b)] } });
  }
  return found;
}

/**
 * Parses a condition on a year or date for which the question names no column, such as `in 2009`, `after
 * 1990` or `between 1990 and 1999`.
 */
function readYears(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  // Date columns are omitted here, because the caller compares them with the period, which has the same
  // meaning.
  const dates = listDatesOf(q, from);
  const column: ColumnRef = {
    links: readPeriods(q, from).length > 0 ? dates.filter((link) => !isCalendar(link.column)) : dates,
    owner: null,
    position: from,
  };
  const between = readBetween(q, from);
  const found: Parsed<Condition>[] = [];
  if (between !== null && between.value.every(isYearLiteral))
    found.push({
      position: between.position,
      cost: 0.2,
      value: { kind: 'between', column, low: between.value[0], high: between.value[1] },
    });
  // A single `from` means the year itself, as in `albums from 2010`. In `from 2010 on`, the comparator is
  // `on`.
  const comparator = wordAt(q, from) === 'from' ? null : readTimeComparator(q, from);
  const position =
    comparator?.position ?? skipWords(q, from, wordSet('in of during on year the for at from is was were'));
  if (position === from) return found;
  const start = skipWords(q, position, wordSet('the year of'));
  const token = q.tokens[start];
  const comparatorAfter = comparator === null ? readComparatorAfter(q, start + 1) : null;
  const op = comparator?.op ?? comparatorAfter?.op ?? '=';
  if (token?.kind === 'number' && isYear(token.value))
    found.push({
      position: comparatorAfter?.position ?? start + 1,
      cost: 0.2,
      value: { kind: 'compare', column, op, value: { kind: 'number', value: token.value } },
    });
  if (token?.kind === 'date')
    found.push({
      position: comparatorAfter?.position ?? start + 1,
      cost: 0.2,
      value: { kind: 'compare', column, op, value: { kind: 'text', text: token.text } },
    });
  return found;
}

const BEFORE_YEARS = wordSet('in during for both the years year of');

/**
 * Parses two years. Only with `both`, as in `in both 2019 and 2020`, must there be rows for both years. For
 * `in 2019 and 2020`, a row for one of the years is sufficient.
 */
function readBothYears(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const position = skipWords(q, from, BEFORE_YEARS);
  // The preposition may be repeated, as in `in 1960 and in 1961`.
  const other = skipWords(q, position + 2, BEFORE_YEARS);
  const years = [q.tokens[position], q.tokens[other]].flatMap((token) =>
    token?.kind === 'number' && isYear(token.value) ? [token.value] : [],
  );
  const [first, second] = years;
  if (
    position === from ||
    first === second ||
    second === undefined ||
    !['and', 'or'].includes(wordAt(q, position + 1))
  )
    return [];
  const column: ColumnRef = { links: listDatesOf(q, from), owner: null, position: from };
  const parts = years.map((value): Condition => ({
    kind: 'compare',
    column,
    op: '=',
    value: { kind: 'number', value },
  }));
  const isBoth = wordAt(q, position + 1) === 'and' && saysBoth(q, position);
  return [
    {
      position: other + 1,
      cost: isBoth || wordAt(q, position + 1) === 'or' ? 0.2 : 0.5,
      value: { kind: isBoth ? 'all' : 'any', parts },
    },
  ];
}

/**
 * Returns the columns that contain dates or years. A verb before the time can select one of them, as in `born
 * in 1990`.
 */
function listDatesOf(q: LinkedQuestion, from: number): readonly ColumnLink[] {
  // A column with the name of the verb comes first, such as `closed_at` for `closed last month`.
  const [selectedByVerb] = [1, 2]
    .map((back) => listDatesOfVerb(q, wordAt(q, from - back)))
    .filter((links) => links.length > 0);
  if (selectedByVerb !== undefined) return selectedByVerb.map((link) => ({ ...link, cost: 0 }));
  // A table directly before the time is more specific than a verb before it, as in `made orders between`.
  const verb = ((q.tables[from - 1] ?? []).length > 0 ? [1] : [1, 2])
    .map((back) => listDateWords(wordAt(q, from - back)))
    .find((words) => words !== null);
  if (verb === undefined) return q.lexicon.dateColumns;
  // Columns for other events than the verb's are excluded. A column named only `date` or `year` may be for
  // any event.
  const wordsOf = ({ table, column }: ColumnLink): readonly string[] =>
    (q.lexicon.columnWords.get(column) ?? []).filter(
      (word) => q.lexicon.tableWords.get(table)?.includes(word) !== true,
    );
  return q.lexicon.dateColumns.flatMap((link) =>
    wordsOf(link).some((word) => verb.includes(word))
      ? [{ ...link, cost: 0 }]
      : wordsOf(link).every((word) => word === 'year' || word === 'date')
        ? [{ ...link, cost: 0.2 }]
        : [],
  );
}

function isYearLiteral(literal: Literal): boolean {
  return (
    (literal.kind === 'number' && isYear(literal.value)) ||
    (literal.kind === 'text' && /^\d{4}-\d\d/.test(literal.text))
  );
}

function readFurtherValues(
  q: LinkedQuestion,
  from: number,
  first: Condition & { readonly kind: 'value' },
  cost: number,
): Parsed<Condition>[] {
  const found: Parsed<Condition>[] = [];
  const parts: Condition[] = [first];
  let position = from;
  for (;;) {
    let next = wordAt(q, position) === ',' ? position + 1 : position;
    const link = wordAt(q, next);
    if (link === 'or' || link === 'and') next += 1;
    else if (next === position) break;
    const value = readValues(q, skipWords(q, next, wordSet('the in from at either'))).find((parsed) =>
      parsed.value.links.some((valueLink) => first.links.some((own) => own.column === valueLink.column)),
    );
    if (value === undefined) break;
    parts.push({ ...first, links: value.value.links });
    position = value.position;
    const isBoth = link === 'and' && saysBoth(q, from);
    if (link === 'or' || link === 'and')
      found.push({
        position,
        cost: cost + (link === 'and' && !isBoth ? 0.6 : 0),
        value: { kind: isBoth || first.negated ? 'all' : 'any', parts: [...parts] },
      });
  }
  return found;
}
