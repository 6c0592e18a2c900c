import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../../link/linked-question.js';
import { isKey } from '../../resolve/column-kinds.js';
import type { Condition, Draft, Interpretation } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { addConditions, addMention, advance, setOwner } from '../draft.js';
import type { Parsed } from '../reader.js';
import { NEGATED_COMPARISON } from './comparators.js';
import { skipUnit } from './measure-conditions.js';

/**
 * Returns one interpretation for each mention to which the condition may apply, beginning with the last one
 * that the question names.
 */
export function placeCondition(
  q: LinkedQuestion,
  interpretation: Interpretation,
  parsed: Parsed<Condition>,
  isOr: boolean,
): Interpretation[] {
  const { draft } = interpretation;
  const position = skipOwnUnit(q, { ...parsed, position: skipUnit(q, parsed.position) });
  const named = parsed.value.kind === 'all' ? findTableOfFullName(draft, parsed.value.parts) : null;
  if (named !== null && draft.mentions.length > 0) {
    const placed = addMention(
      draft,
      {
        links: [{ table: named, cost: 0.3 }],
        tie: q.tokens
          .slice(interpretation.position, parsed.position)
          .map((token) => token.lower)
          .filter(isVerb),
      },
      Math.max(0, draft.focus),
    );
    return [
      advance(
        interpretation,
        position,
        parsed.cost,
        addConditions(placed, placed.focus, [setOwner(parsed.value, placed.focus)]),
      ),
    ];
  }
  if (draft.mentions.length === 0) {
    const named = toNamedColumn(draft, parsed.value);
    const plain = {
      ...advance(interpretation, position, parsed.cost + 0.2 + (named === null ? 0 : NAME_OF_ROWS_COST)),
      draft: addUnattached(draft, parsed.value),
    };
    return named === null
      ? [plain]
      : [
          {
            ...advance(interpretation, position, parsed.cost + 0.2),
            draft: addUnattached(draft, named),
          },
          plain,
        ];
  }
  const first = isTimeCondition(q, parsed.value) && draft.groups.length > 0 ? 0 : draft.focus;
  const owners = [...new Set([first, draft.focus, 0, ...draft.mentions.keys()])]
    .filter((owner) => owner >= 0)
    .slice(0, 3);
  return owners.map((owner, rank) => {
    const condition = setOwner(parsed.value, owner);
    const next = isOr ? addAlternative(draft, owner, condition) : addConditions(draft, owner, [condition]);
    return { position, cost: interpretation.cost + parsed.cost + 0.35 * rank, draft: next };
  });
}

/** Reports whether a condition compares with a period, or compares a column that stores dates. */
function isTimeCondition({ lexicon }: LinkedQuestion, condition: Condition): boolean {
  return (
    condition.kind === 'compare' &&
    (condition.value.kind === 'period' ||
      condition.column.links.every((link) => lexicon.dateColumns.some((date) => date.column === link.column)))
  );
}

/**
 * Skips a unit that is part of the column's name, as in `a yield above 10 tons` for the column `yield_tons`.
 */
function skipOwnUnit(q: LinkedQuestion, { position, value }: Parsed<Condition>): number {
  const lemma = q.tokens[position]?.lemma;
  const isNumber =
    (value.kind === 'compare' && value.value.kind === 'number') ||
    (value.kind === 'between' && value.low.kind === 'number');
  const isOwn =
    isNumber &&
    lemma !== undefined &&
    value.column.links.some((link) => q.lexicon.columnWords.get(link.column)?.at(-1) === lemma);
  return isOwn && position > 0 && q.tokens[position - 1]?.kind === 'number' ? position + 1 : position;
}

/**
 * Returns the table that contains both parts of a full name, as in `taught by Ada Birch`. Returns null for
 * other conditions, and if the question already mentions that table.
 */
function findTableOfFullName(draft: Draft, parts: readonly Condition[]): Table | null {
  const tables = new Set(
    parts.flatMap((part) => (part.kind === 'value' ? part.links.map((link) => link.table) : [])),
  );
  const [table] = tables;
  if (table === undefined || tables.size > 1 || parts.some((part) => part.kind !== 'value')) return null;
  return draft.mentions.some((mention) => mention.links.some((link) => link.table === table)) ? null : table;
}

/**
 * Joins a condition to the last condition of a mention with OR. If that one is negated, AND is used instead,
 * and both are negated.
 */
function addAlternative(draft: Draft, owner: number, condition: Condition): Draft {
  return {
    ...draft,
    mentions: draft.mentions.map((mention, position) => {
      if (position !== owner) return mention;
      const last = mention.conditions.at(-1);
      if (last === undefined) return { ...mention, conditions: [condition] };
      const other = isNegated(last) && !isNegated(condition) ? negate(condition) : null;
      return {
        ...mention,
        conditions:
          other === null
            ? [...mention.conditions.slice(0, -1), { kind: 'any' as const, parts: [last, condition] }]
            : [...mention.conditions, other],
      };
    }),
  };
}

/**
 * The additional cost if `name` refers to the rows instead of the returned text column. In `publishers whose
 * name contains …`, a column `publisher` is more probable than the name of the books.
 */
const NAME_OF_ROWS_COST = 0.4;

/**
 * Applies a condition on a name to the only returned column if this is a text. Returns null for other
 * conditions, and if the question asks for anything else.
 */
function toNamedColumn({ targets }: Draft, condition: Condition): Condition | null {
  const [target, ...more] = targets;
  if (
    (condition.kind !== 'compare' && condition.kind !== 'like') ||
    condition.column.isName !== true ||
    more.length > 0 ||
    target?.kind !== 'column' ||
    target.fn !== null ||
    target.column.isName === true
  )
    return null;
  const links = target.column.links.filter(
    (link) => link.column.valueKind === 'string' && !isKey(link.table, link.column),
  );
  return links.length === 0 ? null : { ...condition, column: { ...condition.column, links, isName: false } };
}

/**
 * Adds a condition before the question names a table. It may apply to the rows of any table that has a
 * returned column.
 */
function addUnattached(draft: Draft, condition: Condition): Draft {
  const links = draft.targets
    .flatMap((target) => (target.kind === 'column' ? target.column.links : []))
    .map((link) => ({ table: link.table, cost: link.cost }));
  const unique = links.filter(
    (link, position) => links.findIndex((other) => other.table === link.table) === position,
  );
  const placed = addMention(draft, { links: unique }, -1);
  return addConditions(placed, 0, [setOwner(condition, 0)]);
}

/** Reports whether the condition excludes a value. */
export function isNegated(condition: Condition): boolean {
  return (
    (condition.kind === 'value' && condition.negated) ||
    (condition.kind === 'compare' && condition.op === '!=')
  );
}

/** Returns the opposite of a condition. Returns null if it has none. */
export function negate(condition: Condition): Condition | null {
  if (condition.kind === 'compare') return { ...condition, op: NEGATED_COMPARISON[condition.op] };
  if (condition.kind === 'value') return { ...condition, negated: !condition.negated };
  if (condition.kind === 'like') return { ...condition, negated: !condition.negated };
  return null;
}
