import type { LinkedQuestion } from '../link/linked-question.js';
import { findLabel } from '../resolve/find-label.js';
import { isCalendar, isNumeric, isKey } from '../resolve/column-kinds.js';
import type { Interpretation } from '../types.js';
import { EACH } from './word-classes.js';

/**
 * Completes an interpretation at the end of the question. Groups without a count or aggregate get a count or
 * are removed. Improbable interpretations get a higher cost.
 */
export function completeInterpretation(q: LinkedQuestion, interpretation: Interpretation): Interpretation {
  const { draft } = interpretation;
  // If the question names no table, a skipped word was probably the table. `total papers` would otherwise
  // return the column `total` of an unrelated table.
  if (draft.unmatched.length > 0 && draft.mentions.length === 0)
    return { ...interpretation, cost: interpretation.cost + COST_MAX };
  const isSummed =
    draft.targets.some(
      (target) =>
        target.kind === 'count' ||
        target.kind === 'size' ||
        target.kind === 'share' ||
        (target.kind === 'column' && target.fn !== null),
    ) || draft.orders.some(({ key }) => key.kind !== 'column' || key.fn !== null);
  if (isSummed && hasFilteredGroup(q, draft))
    return { ...interpretation, cost: interpretation.cost + FILTERED_COST };
  if (draft.groups.length === 0 || isSummed) return interpretation;
  if (draft.groups.some((group) => group.kind === 'column' && group.unit !== undefined))
    return countByTime(interpretation);
  // `for each party, find its location` returns one row for each party anyway, so GROUP BY is not needed.
  const isGroupedByMainRows = draft.groups.every((group) => group.kind === 'rows' && group.mention === 0);
  if (!isGroupedByMainRows)
    return countByCategory(q, interpretation) ?? { ...interpretation, cost: interpretation.cost + 0.7 };
  // For `daily rate per vehicle`, the statement also returns the label of each vehicle.
  const isPerRow =
    draft.targets.every((target) => target.kind === 'column') &&
    q.tokens.some(({ lower }, position) => lower === 'per' && (q.tables[position + 1] ?? []).length > 0);
  return {
    ...interpretation,
    cost: interpretation.cost + 0.15,
    draft: {
      ...draft,
      groups: [],
      targets: isPerRow ? [{ kind: 'rows', mention: 0 }, ...draft.targets] : draft.targets,
    },
  };
}

const BY_CATEGORY_COST = 0.5;

/**
 * Interprets `by` with a category column as a count for each category, as in `tickets by priority`. It may
 * also mean an order.
 */
function countByCategory(q: LinkedQuestion, { draft, ...state }: Interpretation): Interpretation | null {
  const [[target, ...more], [group, ...others]] = [draft.targets, draft.groups];
  if (
    target?.kind !== 'rows' ||
    more.length + others.length > 0 ||
    group?.kind !== 'column' ||
    draft.orders.length > 0 ||
    !q.tokens.some(({ lower }) => lower === 'by') ||
    group.column.links.some(
      ({ table, column }) =>
        isNumeric(column) || isCalendar(column) || isKey(table, column) || findLabel(table).includes(column),
    )
  )
    return null;
  return {
    ...state,
    cost: state.cost + BY_CATEGORY_COST,
    draft: { ...draft, targets: [{ kind: 'count', mention: target.mention, distinct: false }] },
  };
}

const FILTERED_COST = 0.6;

const GROUPING_WORDS = new Set([...EACH, 'grouped', 'group', 'different', 'all', 'broken']);

/**
 * Reports whether a grouped table has conditions and no word asks for groups. The table is then probably only
 * a filter: `the average total of orders by customers from Germany` asks for a single average.
 */
function hasFilteredGroup(q: LinkedQuestion, { groups, mentions }: Interpretation['draft']): boolean {
  return (
    !q.tokens.some(({ lower }) => GROUPING_WORDS.has(lower)) &&
    groups.some((group) => group.kind === 'rows' && (mentions[group.mention]?.conditions.length ?? 0) > 0)
  );
}

/**
 * Adds a row count to groups by day, month or year, as in `comments by year`. Other returned values are
 * improbable.
 */
function countByTime(interpretation: Interpretation): Interpretation {
  const [target, ...more] = interpretation.draft.targets;
  if (target?.kind !== 'rows' || more.length > 0)
    return { ...interpretation, cost: interpretation.cost + COST_MAX };
  return {
    ...interpretation,
    cost: interpretation.cost + 0.1,
    draft: {
      ...interpretation.draft,
      targets: [{ kind: 'count', mention: target.mention, distinct: false }],
    },
  };
}

export const COST_MAX = 4;
