import type { MigrationStep } from '@rowhouse/contracts';
import { AppError, UNKNOWN_COLUMN, NO_SUCH_TABLE } from '@rowhouse/errors';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import { ownMember } from '@rowhouse/schema-model';
import { listChecked, listExclusive } from '@rowhouse/ddl-plan';

const ROWS_LISTED_MAX = 3;

/** The columns whose values are never shown, by table. */
export type HiddenColumns = Readonly<Record<string, readonly string[]>>;

type CheckedStep = Pick<MigrationStep, 'table' | 'rowChecks'>;
type Values = Readonly<Record<string, string | number | boolean | null>>;
interface Problem {
  readonly problem: string;
  /** The first offending rows, each with its key and the columns that violate the rule. */
  readonly rows: readonly Values[];
}

/**
 * The hint of the error. The draft still contains the change, so the next deploy checks the same rows again.
 */
export const ROWS_HINT = 'Fix these rows and retry, or discard the change from the working schema.';

/**
 * Checks for rows that a stricter rule would reject. If there are any, it throws `schema.rows_in_the_way`
 * with the problem and the first rows. If the table or column does not exist yet, the check passes.
 */
export async function checkRows(
  connection: AdminConnection,
  steps: readonly CheckedStep[],
  hidden: HiddenColumns = {},
): Promise<void> {
  const found: Problem[] = [];
  for (const step of steps) {
    for (const check of step.rowChecks) {
      const rows = await findRows(connection, check.sql);
      if (rows.length > 0)
        found.push({
          problem: check.problem,
          rows: rows.map((row) =>
            pickShown(row, check.shows, ownMember(hidden, check.table ?? step.table) ?? []),
          ),
        });
    }
  }
  if (found.length === 0) return;
  throw new AppError('schema.rows_in_the_way', {
    detail: `Existing rows are incompatible with this change: ${found.map(formatProblem).join('; ')}.`,
    hint: ROWS_HINT,
    extra: { problems: found.map((problem) => problem.problem), rows: found },
  });
}

function formatProblem({ problem, rows }: Problem): string {
  const messages = rows.slice(0, ROWS_LISTED_MAX).map(
    (row) =>
      `(${Object.entries(row)
        .map(([name, value]) => `${name}: ${value === null ? 'NULL' : value}`)
        .join(', ')})`,
  );
  return `${problem}, such as ${messages.join(', ')}`;
}

function pickShown(
  row: Readonly<Record<string, unknown>>,
  shows: readonly string[],
  hidden: readonly string[],
): Values {
  return Object.fromEntries(
    shows.map((name) => [name, hidden.includes(name) ? '[hidden]' : toPlain(row[name])]),
  );
}

function toPlain(value: unknown): Values[string] {
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value === null
    ? value
    : JSON.stringify(value ?? null);
}

async function findRows(connection: AdminConnection, sql: string): Promise<Record<string, unknown>[]> {
  try {
    return await connection.rows<Record<string, unknown>>(sql);
  } catch (error) {
    const errno = readServerFault(error)?.errno;
    if (errno === UNKNOWN_COLUMN || errno === NO_SUCH_TABLE) return [];
    throw error;
  }
}

/**
 * Returns the steps whose row checks can run before the first step. An exclusive step gives names to other
 * objects, so checks of later steps that read its tables are stored with that step, in a form that can run
 * beforehand.
 */
export function listStepsBefore(steps: readonly MigrationStep[]): MigrationStep[] {
  const position = steps.findIndex((step) => step.strategy === 'exclusive');
  const exclusive = steps[position];
  if (exclusive?.strategy !== 'exclusive') return [...steps];
  const touched = new Set(listExclusive(exclusive.details));
  return steps.filter(
    (step, index) => index <= position || !listChecked(step).some((name) => touched.has(name)),
  );
}

/** Returns the steps whose row checks can run once all names have changed. */
export function listStepsAfter(steps: readonly MigrationStep[]): MigrationStep[] {
  return steps.slice(steps.findIndex((step) => step.strategy === 'exclusive') + 1);
}
