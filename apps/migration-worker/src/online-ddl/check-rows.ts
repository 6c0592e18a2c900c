import type { MigrationStep } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';

const UNKNOWN_COLUMN = 1054;
const UNKNOWN_TABLE = 1146;

/**
 * Looks for rows that a tighter rule would refuse. Throws `schema.rows_in_the_way` naming all that were found.
 * What does not exist yet holds no such row.
 */
export async function checkRows(connection: AdminConnection, steps: readonly Pick<MigrationStep, 'rowChecks'>[]): Promise<void> {
  const problems: string[] = [];
  for (const check of steps.flatMap((step) => [...step.rowChecks])) {
    if (await findsRow(connection, check.sql)) problems.push(check.problem);
  }
  if (problems.length > 0) throw new AppError('schema.rows_in_the_way', { detail: `Existing rows do not fit this change: ${problems.join('; ')}.`, extra: { problems } });
}

async function findsRow(connection: AdminConnection, sql: string): Promise<boolean> {
  try {
    return (await connection.rows(sql)).length > 0;
  } catch (error) {
    const errno = readServerFault(error)?.errno;
    if (errno === UNKNOWN_COLUMN || errno === UNKNOWN_TABLE) return false;
    throw error;
  }
}
