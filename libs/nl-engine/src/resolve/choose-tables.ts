import type { Table } from '@rowhouse/schema-model';
import type { SchemaQuestion } from '../link/linked-question.js';
import type { ColumnRef, Draft, Mention, TableLink } from '../types.js';
import { rankPaths } from './rank-paths.js';
import type { Edge } from './table-graph.js';

const TABLES_MAX = 12;
/** The additional cost of joining a table with itself by a foreign key. */
const SELF_JOIN_COST = 0.6;

export interface TableChoice {
  readonly tables: readonly Table[];
  readonly paths: readonly (readonly Edge[])[];
  readonly cost: number;
}

/**
 * Assigns a table to every mention, and a join path between the mention and its parent. Returns at most
 * `TABLES_MAX` choices, ordered by cost.
 */
export function chooseTables(draft: Draft, question: SchemaQuestion): TableChoice[] {
  let partial: TableChoice[] = [{ tables: [], paths: [], cost: 0 }];
  for (const mention of draft.mentions) {
    partial = partial.flatMap((choice) =>
      mention.links.flatMap((link) => extendChoice(choice, mention, link, question)),
    );
    partial.sort((a, b) => a.cost - b.cost);
    partial = partial.slice(0, TABLES_MAX);
  }
  return partial;
}

function extendChoice(
  choice: TableChoice,
  mention: Mention,
  link: TableLink,
  { lexicon, budget }: SchemaQuestion,
): TableChoice[] {
  const cost = choice.cost + link.cost;
  const parent = choice.tables[mention.parent];
  if (parent === undefined)
    return [{ tables: [...choice.tables, link.table], paths: [...choice.paths, []], cost }];
  const found = lexicon.graph.findPaths(parent, link.table, budget);
  if (mention.duplicateOf !== undefined) return extendByDuplicate(choice, mention.duplicateOf, link, parent);
  if (parent === link.table) {
    const self = (lexicon.graph.edges.get(parent) ?? []).filter((edge) => edge.to === parent);
    return self.map((edge) => ({
      tables: [...choice.tables, link.table],
      paths: [...choice.paths, [edge]],
      cost: cost + SELF_JOIN_COST,
    }));
  }
  return rankPaths(found, mention, lexicon).map(({ value, cost: pathCost }) => ({
    tables: [...choice.tables, link.table],
    paths: [...choice.paths, value],
    cost: cost + pathCost,
  }));
}

/**
 * Joins a table with itself by a column whose value both rows have in common. Primary keys are excluded,
 * because each row would be joined only with itself.
 */
function extendByDuplicate(
  choice: TableChoice,
  { links }: ColumnRef,
  link: TableLink,
  parent: Table,
): TableChoice[] {
  const shared = links.filter(
    ({ table, column }) => table === parent && table.primaryKey?.includes(column.name) !== true,
  );
  if (parent !== link.table) return [];
  return shared.map(({ column, cost }) => ({
    tables: [...choice.tables, link.table],
    paths: [
      ...choice.paths,
      [
        {
          from: parent,
          to: parent,
          fromColumns: [column.name],
          toColumns: [column.name],
          isToOne: false,
          isDeclared: true,
        },
      ],
    ],
    cost: choice.cost + link.cost + cost,
  }));
}
