import type { Interpretation } from '../../types.js';
import type { EntityPhrase } from '../nouns/entity-phrases.js';
import { addConditions, addMention, advance, setOwner } from '../draft.js';

/**
 * Excludes those values of a column for which a matching row exists. For `studios that have not produced
 * films with …`, the statement returns the values of a column `studio` for which no film matches.
 *
 * Applies only if the question has named nothing except this column.
 */
export function readValuesWithoutRows(
  interpretation: Interpretation,
  entity: EntityPhrase,
  position: number,
  cost: number,
): Interpretation[] {
  const { draft } = interpretation;
  const [target, ...more] = draft.targets;
  if (
    draft.mentions.length > 0 ||
    more.length > 0 ||
    target?.kind !== 'column' ||
    target.fn !== null ||
    draft.groups.length > 0
  )
    return [];
  const tables = entity.links.filter((link) => target.column.links.some((own) => own.table === link.table));
  if (tables.length === 0) return [];
  const rooted = addMention({ ...draft, distinct: true }, { links: tables }, -1);
  const placed = addMention(rooted, { links: tables, negated: true, duplicateOf: target.column }, 0);
  const bound = addConditions(
    placed,
    placed.focus,
    entity.conditions.map((condition) => setOwner(condition, placed.focus)),
  );
  return [advance(interpretation, position, cost, bound)];
}
