import type { CompiledRelationship } from '@rowhouse/schema-model';
import type { Condition } from '../../plan/filter/condition.js';
import type { IncludeNode } from '../../plan/plan-parts.js';
import type { BoundValue } from '../../values/cell.js';

/** A path of to-one relationships, and the item at its end. */
interface Joined {
  readonly path: readonly CompiledRelationship[];
}

export interface ToOneJoins {
  /**
   * The clauses ` LEFT JOIN …` that follow the table in FROM. The table then has the alias `t`. The text is
   * empty if no joins are needed.
   */
  readonly sql: string;
  /** Returns the alias of the table at the end of a path. Returns '' without joins. */
  aliasOf(end: Joined): string;
}

/**
 * Writes the conditions inside a subquery. It is passed as a function, because these conditions may contain
 * further subqueries.
 */
export type WriteCondition = (
  condition: Condition,
  alias: string,
  params: BoundValue[],
  depth: number,
) => string;

/**
 * Returns the condition `EXISTS (…)` for related records. With "every", a related record for which the inner
 * condition is false or unknown makes the result false.
 */
export function relatedSql(
  condition: Condition & { kind: 'related' },
  alias: string,
  params: BoundValue[],
  depth: number,
  write: WriteCondition,
): string {
  const { quantifier, relationship, where } = condition;
  const own = `e${depth + 1}`;
  const texts = where.map((condition) => write(condition, own, params, depth + 1));
  const isEvery = quantifier === 'every';
  const requests = isEvery ? [`(${texts.length === 0 ? 'TRUE' : texts.join(' AND ')}) IS NOT TRUE`] : texts;
  return `${quantifier === 'some' ? '' : 'NOT '}EXISTS (SELECT 1 ${sourceSql(relationship, alias, depth + 1, requests)})`;
}

export function relatedCountSql(
  condition: Condition & { kind: 'related_count' },
  alias: string,
  params: BoundValue[],
  depth: number,
  write: WriteCondition,
): string {
  const { operator, value } = condition;
  const count = countSql(condition, alias, params, depth, write);
  params.push(value);
  return `${count} ${operator} CAST(? AS UNSIGNED)`;
}

/** Returns a subquery for the number of related records that match `where`. The number may be 0. */
export function countSql(
  { relationship, where }: Pick<IncludeNode, 'relationship' | 'where'>,
  alias: string,
  params: BoundValue[],
  depth: number,
  write: WriteCondition,
): string {
  const texts = where.map((condition) => write(condition, `e${depth + 1}`, params, depth + 1));
  return `(SELECT COUNT(*) ${sourceSql(relationship, alias, depth + 1, texts)})`;
}

/**
 * Returns `FROM` and `WHERE` for the records related to a record of the outer query. In a subquery of depth
 * 1, `e1` is the target table and `l1` the link table.
 */
function sourceSql(
  relationship: CompiledRelationship,
  alias: string,
  depth: number,
  texts: readonly string[],
): string {
  const { target, targetColumns, link, source, sourceColumns } = relationship;
  // Every table in a subquery has an alias, so the table's name without an alias refers to the outer query.
  const outer = alias === '' ? source.quoted : alias;
  const [own, between] = [`e${depth}`, `l${depth}`];
  const joined =
    link === null
      ? targetColumns.map((column) => `${own}.${column.quoted}`)
      : link.sourceColumns.map((column) => `${between}.${column.quoted}`);
  const belongs = sourceColumns.map((column, index) => `${joined[index] ?? ''} = ${outer}.${column.quoted}`);
  const where = [...belongs, ...texts].join(' AND ');
  if (link === null) return `FROM ${target.quoted} AS ${own} WHERE ${where}`;
  const on = link.targetColumns
    .map((column, index) => `${own}.${targetColumns[index]?.quoted ?? ''} = ${between}.${column.quoted}`)
    .join(' AND ');
  return `FROM ${link.table.quoted} AS ${between} JOIN ${target.quoted} AS ${own} ON ${on} WHERE ${where}`;
}

/**
 * Returns one LEFT JOIN for each path of to-one relationships. With a LEFT JOIN, records without a target
 * remain in the result.
 */
export function toOneJoins(ends: readonly Joined[]): ToOneJoins {
  const aliases = new Map<string, string>();
  let sql = '';
  const pathText = (end: Joined, length: number): string =>
    JSON.stringify(end.path.slice(0, length).map((step) => step.name));
  for (const end of ends) {
    end.path.forEach((step, index) => {
      const path = pathText(end, index + 1);
      if (aliases.has(path)) return;
      const source = index === 0 ? 't' : (aliases.get(pathText(end, index)) ?? 't');
      const alias = `s${aliases.size + 1}`;
      aliases.set(path, alias);
      const on = step.sourceColumns
        .map(
          (column, part) => `${source}.${column.quoted} = ${alias}.${step.targetColumns[part]?.quoted ?? ''}`,
        )
        .join(' AND ');
      sql += ` LEFT JOIN ${step.target.quoted} AS ${alias} ON ${on}`;
    });
  }
  return {
    sql,
    aliasOf: (end) =>
      end.path.length === 0 ? (sql === '' ? '' : 't') : (aliases.get(pathText(end, end.path.length)) ?? 't'),
  };
}
