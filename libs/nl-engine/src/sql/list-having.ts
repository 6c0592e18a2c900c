import type { Condition } from '../types.js';
import type { QueryContext } from './query-context.js';
import { renderQuantity } from './render-quantity.js';

/** Returns the conditions of HAVING. */
export function listHaving(ctx: QueryContext): string[] {
  const { draft, columns } = ctx.assignment;
  const quantity = draft.mentions[0]?.quantity ?? null;
  const conditions = (draft.mentions[0]?.conditions ?? []).flatMap((condition) => {
    const bound = condition.kind === 'aggregate' ? columns.get(condition.column) : undefined;
    return condition.kind === 'aggregate' && bound !== undefined && isHaving(ctx, condition)
      ? [
          `${condition.fn.toUpperCase()}(${ctx.column(ctx.main, bound)}) ${condition.op} ${condition.value.value}`,
        ]
      : [];
  });
  return [...(quantity === null ? [] : [`COUNT(*) ${renderQuantity(quantity)}`]), ...conditions];
}

/** Returns whether the condition compares an aggregate of the grouped rows. */
export function isHaving({ assignment }: QueryContext, condition: Condition): boolean {
  return (
    condition.kind === 'aggregate' &&
    assignment.columns.get(condition.column)?.path.every((edge) => edge.isToOne) === true
  );
}
