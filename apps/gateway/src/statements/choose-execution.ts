import type { RunMode, SessionNeed } from '@rowhouse/mysql';
import type { Plan, StatementProgram, StatementRound } from '@rowhouse/rest-engine';

/**
 * How the statements of a plan run:
 *
 * - `reads`: without a transaction, each on the connection that suits it.
 * - `one_write`: a write and the read of its record, in one round trip.
 * - `session`: all on one session, in a transaction if `mode` says so.
 */
export type Execution =
  | { readonly kind: 'reads' }
  | { readonly kind: 'one_write' }
  | { readonly kind: 'session'; readonly mode: RunMode; readonly need: SessionNeed };

const READS: Execution = { kind: 'reads' };
const ONE_WRITE: Execution = { kind: 'one_write' };

/** Chooses the execution of a plan. A guard runs its own statements in the transaction of the plan. */
export function chooseExecution(plan: Plan, program: StatementProgram, hasGuard: boolean): Execution {
  if (!hasGuard && isSmallRead(plan, program)) return READS;
  const mode = hasGuard && program.transaction === 'none' ? 'transaction' : toMode(plan, program);
  if (!hasGuard && mode === 'write' && isShortWrite(plan) && isOneWrite(program.first)) return ONE_WRITE;
  return { kind: 'session', mode, need: needOf(plan, mode, program.first) };
}

/**
 * Returns whether the statements of a plan start with a small read. A read with a regular expression is not
 * small, because its time limit is set on its session.
 */
function isSmallRead(
  { hasRegex }: Plan,
  {
    transaction,
    first: {
      statements: [first],
    },
  }: StatementProgram,
): boolean {
  return (
    transaction === 'none' && hasRegex !== true && (first?.isShort === true || first?.mayBeShort === true)
  );
}

/** Returns whether the plan writes one record. */
function isShortWrite(plan: Plan): boolean {
  return plan.kind === 'update' || plan.kind === 'delete' || (plan.kind === 'create' && !plan.isBulk);
}

/**
 * Returns which sessions a plan may use. With `burst`, a bulk create that commits by itself may borrow the
 * sessions for short writes while no other tenant is active.
 */
function needOf(plan: Plan, mode: RunMode, first: StatementRound): SessionNeed {
  if (isShortWrite(plan)) return 'short';
  return plan.kind === 'create' && mode === 'write' && isOneWrite(first) ? 'burst' : 'long';
}

/** Returns whether the round is one write, optionally followed by a read of the written records. */
function isOneWrite({ statements: [write, read, ...more] }: StatementRound): boolean {
  return (
    (write?.role.kind === 'write' || write?.role.kind === 'records') &&
    (read === undefined || read.role.kind === 'records') &&
    more.length === 0
  );
}

function toMode(plan: Plan, program: StatementProgram): RunMode {
  if (program.transaction === 'commit') return 'transaction';
  if (program.transaction === 'rollback') return 'dry_run';
  return plan.kind === 'list' || plan.kind === 'aggregate' || plan.kind === 'explain' || plan.kind === 'read'
    ? 'read'
    : 'write';
}
