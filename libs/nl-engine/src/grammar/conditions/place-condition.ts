import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../../link/linked-question.js';
import { isKey } from '../../resolve/column-kinds.js';
import type { Condition, Draft, Interpretation } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { addConditions, addMention, advance, setOwner } from '../draft.js';
import type { Parsed } from '../reader.js';
import { FLIPPED } from './comparators.js';
import { skipUnit } from './measure-conditions.js';

/** Returns an interpretation for each mention that the condition may belong to, nearest first. */
export function placeCondition(
  q: LinkedQuestion,
  interpretation: Interpretation,
  parsed: Parsed<Condition>,
  isOr: boolean,
): Interpretation[] {
  const { draft } = interpretation;
  const position = skipOwnUnit(q, { ...parsed, position: skipUnit(q, parsed.position) });
  const named = parsed.value.kind === 'all' ? findNamedRows(draft, parsed.value.parts) : null;
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
      ...advance(interpretation, position, parsed.cost + 0.2 + (named === null ? 0 : NAMED_COST)),
      draft: addMentionless(draft, parsed.value),
    };
    return named === null
      ? [plain]
      : [
          { ...advance(interpretation, position, parsed.cost + 0.2), draft: addMentionless(draft, named) },
          plain,
        ];
  }
  const isTime =
    parsed.value.kind === 'compare' &&
    (parsed.value.value.kind === 'period' ||
      parsed.value.column.links.every((link) =>
        q.lexicon.dateColumns.some((date) => date.column === link.column),
      ));
  const first = isTime && draft.groups.length > 0 ? 0 : draft.focus;
  const owners = [...new Set([first, draft.focus, 0, ...draft.mentions.keys()])]
    .filter((owner) => owner >= 0)
    .slice(0, 3);
  return owners.map((owner, rank) => {
    const condition = setOwner(parsed.value, owner);
    const next = isOr ? alternate(draft, owner, condition) : addConditions(draft, owner, [condition]);
    return { position, cost: interpretation.cost + parsed.cost + 0.35 * rank, draft: next };
  });
}

/** Skips a unit that is part of the column's name, as in `a yield above 10 tons` for `yield_tons`. */
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
 * Returns the table of a full name when the question has not
 * mentioned its rows, as in `taught by Ada Birch`, or null.
 */
function findNamedRows(draft: Draft, parts: readonly Condition[]): Table | null {
  const tables = new Set(
    parts.flatMap((part) => (part.kind === 'value' ? part.links.map((link) => link.table) : [])),
  );
  const [table] = tables;
  if (table === undefined || tables.size > 1 || parts.some((part) => part.kind !== 'value')) return null;
  return draft.mentions.some((mention) => mention.links.some((link) => link.table === table)) ? null : table;
}

/** Combines the last condition of the mention with this one by OR. After `not`, both are excluded. */
function alternate(draft: Draft, owner: number, condition: Condition): Draft {
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
 * The extra cost of reading `publishers whose name contains …`
 * as the name of published rows when publishers are a column.
 */
const NAMED_COST = 0.4;

/**
 * Applies a condition on a name to the shown text column.
 * Returns null for other conditions, or when something else is shown.
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
 * Adds a condition before any rows have been named. The rows may come from any table of the named columns.
 */
function addMentionless(draft: Draft, condition: Condition): Draft {
  const links = draft.targets
    .flatMap((target) => (target.kind === 'column' ? target.column.links : []))
    .map((link) => ({ table: link.table, cost: link.cost }));
  const unique = links.filter(
    (link, position) => links.findIndex((other) => other.table === link.table) === position,
  );
  const placed = addMention(draft, { links: unique }, -1);
  return addConditions(placed, 0, [setOwner(condition, 0)]);
}

/** Returns whether the condition excludes a value. */
export function isNegated(condition: Condition): boolean {
  return (
    (condition.kind === 'value' && condition.negated) ||
    (condition.kind === 'compare' && condition.op === '!=')
  );
}

/** Returns the opposite of a condition, or null for a kind that has none. */
export function negate(condition: Condition): Condition | null {
  if (condition.kind === 'compare') return { ...condition, op: FLIPPED[condition.op] };
  if (condition.kind === 'value') return { ...condition, negated: !condition.negated };
  if (condition.kind === 'like') return { ...condition, negated: !condition.negated };
  return null;
}
