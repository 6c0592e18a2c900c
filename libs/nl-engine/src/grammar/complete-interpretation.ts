import type { LinkedQuestion } from '../link/linked-question.js';
import { findLabel } from '../resolve/find-label.js';
import { isCalendar, isNumeric, isKey } from '../resolve/column-kinds.js';
import type { Interpretation } from '../types.js';
import { EACH } from './word-classes.js';

/** Completes an interpretation. A group without a count or aggregate usually is not meant as a group. */
export function completeInterpretation(q: LinkedQuestion, interpretation: Interpretation): Interpretation {
  const { draft } = interpretation;
  // A skipped word is not acceptable when no rows are named, since it names the subject.
  // `total papers` is an example over athletes with a total.
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
  if (isSummed && isFiltered(q, draft))
    return { ...interpretation, cost: interpretation.cost + FILTERED_COST };
  if (draft.groups.length === 0 || isSummed) return interpretation;
  if (draft.groups.some((group) => group.kind === 'column' && group.unit !== undefined))
    return countByTime(interpretation);
  // `for each party, find its location` shows every row and has no group.
  const isWhose = draft.groups.every((group) => group.kind === 'rows' && group.mention === 0);
  if (!isWhose)
    return countByKind(q, interpretation) ?? { ...interpretation, cost: interpretation.cost + 0.7 };
  // `daily rate per vehicle` also shows the label of each row.
  const isPer =
    draft.targets.every((target) => target.kind === 'column') &&
    q.tokens.some(({ lower }, position) => lower === 'per' && (q.tables[position + 1] ?? []).length > 0);
  return {
    ...interpretation,
    cost: interpretation.cost + 0.15,
    draft: {
      ...draft,
      groups: [],
      targets: isPer ? [{ kind: 'rows', mention: 0 }, ...draft.targets] : draft.targets,
    },
  };
}

const BY_KIND_COST = 0.5;

/** Adds a count per kind for `tickets by priority`, which may also mean an order. */
function countByKind(q: LinkedQuestion, { draft, ...state }: Interpretation): Interpretation | null {
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
    cost: state.cost + BY_KIND_COST,
    draft: { ...draft, targets: [{ kind: 'count', mention: target.mention, distinct: false }] },
  };
}

const FILTERED_COST = 0.6;

const GROUPING = new Set([...EACH, 'grouped', 'group', 'different', 'all', 'broken']);

/**
 * Returns whether a group is more likely a condition.
 * `the average total of orders by customers from Germany` asks for one average rather than one per customer.
 */
function isFiltered(q: LinkedQuestion, { groups, mentions }: Interpretation['draft']): boolean {
  return (
    !q.tokens.some(({ lower }) => GROUPING.has(lower)) &&
    groups.some((group) => group.kind === 'rows' && (mentions[group.mention]?.conditions.length ?? 0) > 0)
  );
}

/** Counts the rows in `comments by year`. Nothing else is grouped by a period. */
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
