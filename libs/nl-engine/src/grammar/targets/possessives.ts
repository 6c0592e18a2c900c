import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../../link/linked-question.js';
import { findLabel } from '../../resolve/find-label.js';
import type { Condition, Interpretation } from '../../types.js';
import { readBareConditions } from '../implied-conditions/bare-conditions.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { wordAt } from '../reader.js';
import { addConditions, addMention, advance, setOwner } from '../draft.js';

/**
 * Parses the name of a row in the possessive, followed by a requested column or table, as in `Ada's email`
 * and `Ada Birch's orders`.
 */
export function readPossessives(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  if (interpretation.draft.mentions.length + interpretation.draft.targets.length > 0) return [];
  return readBareConditions(q, from).flatMap((parsed) => {
    const tables = listLabeledTables(parsed.value);
    if (tables.length === 0 || !["'s", "'"].includes(wordAt(q, parsed.position))) return [];
    const owner = { ...parsed, position: parsed.position + 1, cost: interpretation.cost + parsed.cost };
    return [
      ...readOwnersColumns(q, interpretation, owner, tables),
      ...readOwnersRows(q, interpretation, owner, tables),
    ];
  });
}

interface Owner {
  readonly position: number;
  readonly cost: number;
  readonly value: Condition;
}

function readOwnersColumns(
  q: LinkedQuestion,
  interpretation: Interpretation,
  { position, cost, value }: Owner,
  tables: readonly Table[],
): Interpretation[] {
  return readColumns(q, position).flatMap((column) => {
    const links = column.value.links.filter((link) => tables.includes(link.table));
    if (links.length === 0) return [];
    const placed = addMention(
      interpretation.draft,
      { links: tables.map((table) => ({ table, cost: 0 })), conditions: [setOwner(value, 0)] },
      -1,
    );
    return [
      advance({ ...interpretation, cost }, column.position, column.cost + 0.1, {
        ...placed,
        targets: [
          { kind: 'column', column: { ...toRef(column.value, 0), links }, fn: null, distinct: false },
        ],
      }),
    ];
  });
}

function readOwnersRows(
  q: LinkedQuestion,
  interpretation: Interpretation,
  { position, cost, value }: Owner,
  tables: readonly Table[],
): Interpretation[] {
  return readEntities(q, position)
    .filter(
      (entity) =>
        entity.value.orders.length === 0 &&
        !entity.value.isEach &&
        entity.value.links.every((link) => !tables.includes(link.table)),
    )
    .map((entity) => {
      const rows = addMention(
        interpretation.draft,
        {
          links: entity.value.links,
          conditions: entity.value.conditions.map((condition) => setOwner(condition, 0)),
        },
        -1,
      );
      const placed = addMention(rows, { links: tables.map((table) => ({ table, cost: 0 })) }, 0);
      return advance({ ...interpretation, cost }, entity.position, entity.cost + 0.2, {
        ...addConditions(placed, 1, [setOwner(value, 1)]),
        focus: 0,
        targets: [{ kind: 'rows', mention: 0 }],
      });
    });
}

/** Returns the tables whose label the condition compares. Returns an empty list for other conditions. */
function listLabeledTables(condition: Condition): readonly Table[] {
  const parts = condition.kind === 'all' ? condition.parts : [condition];
  const labeled = parts.map((part) =>
    part.kind === 'value' && !part.negated
      ? part.links.filter((link) => findLabel(link.table).includes(link.column)).map((link) => link.table)
      : [],
  );
  return [...new Set(labeled[0] ?? [])].filter((table) => labeled.every((tables) => tables.includes(table)));
}
