import { AppError } from '@rowhouse/errors';
import type { CountedStep, RowsEstimate } from '@rowhouse/query-engine';
import type { CostedStatement } from './query-costs.js';

/** The maximum number of plan steps in an error. */
const STEPS_MAX = 8;
/** Replaces the name of a hidden table, for example one that a view uses. */
const UNSEEN = '(view)';

/**
 * Explains why a statement does not run, how it would be executed and what would help. It only contains names
 * that the key may see.
 */
export function toCostError(
  statement: CostedStatement,
  { rows, steps }: Pick<RowsEstimate, 'rows' | 'steps'>,
  budget: number,
): AppError {
  const dearest = steps.filter(isScan).sort((countedStep, other) => other.examined - countedStep.examined);
  const index =
    dearest
      .map(({ table }) => (table === null ? null : statement.proposeIndex(table)))
      .find((sql) => sql !== null) ?? null;
  return new AppError('limit.query_cost', {
    detail: `This would look at about ${format(rows)} rows; the budget is ${format(budget)}.`,
    hint:
      index === null
        ? 'Narrow it by a column that an index begins with, or have the budget raised: rows_examined_max of the key or of the database.'
        : `Add the index it lacks: ${index}. Or narrow it by a column that has one.`,
    extra: {
      rows_expected: Math.round(rows),
      rows_examined_max: budget,
      index_sql: index,
      plan: steps.slice(0, STEPS_MAX).map((step) => ({
        table: nameTable(statement, step),
        access: step.access === '' ? null : step.access,
        rows: step.rows,
      })),
    },
  });
}

function isScan({ access, table }: CountedStep): boolean {
  return (
    (access.toUpperCase().endsWith('ALL') || access === 'index') && table !== null && !table.startsWith('<')
  );
}

function nameTable(statement: CostedStatement, { table }: CountedStep): string | null {
  if (table === null || table.startsWith('<')) return table;
  return statement.tableOf(table)?.name ?? UNSEEN;
}

function format(rows: number): string {
  return Math.round(rows).toLocaleString('en-US');
}
