import { pauseOf } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import type { RunPair, RunStatement } from '@rowhouse/mysql';
import {
  respondBatch,
  authorizePlan,
  isUpsertRace,
  mayBeUpsertRace,
  nameOperation,
  planItem,
  toResponse,
  toStatements,
  BATCH_ROWS_MAX,
  type ApiResponse,
  type BatchItem,
  type BatchPlan,
  type JsonValue,
  type OptionsOf,
  type Plan,
  type ResultSet,
} from '@rowhouse/rest-engine';
import { admitPlanOn, createNextAdmission, type CostServices } from '../cost/admit-plan.js';
import { assertStorageQuota } from '../limits/assert-storage-quota.js';
import { LIMITS } from '../limits/limits.js';
import { readJsonText } from '../rest/read-body.js';
import { joinParts } from '../statements/finish-results.js';
import { toPlanError } from '../statements/plan-error.js';
import { locateRejected } from '../statements/rejected-statement.js';
import { runAtPlacement } from '../statements/run-at-placement.js';
import {
  CONNECTION_WAIT_MS,
  rowsTarget,
  UPSERT_ATTEMPTS_MAX,
  type WriteGuard,
  type RecordServices,
} from '../statements/run-program.js';
import { runRounds } from '../statements/run-rounds.js';
import type { Tenant } from '../tenant/tenant.js';

export interface BatchRunServices extends RecordServices, CostServices {}

/** The operation that a batch is running, for error messages. */
interface Progress {
  /** The operation that is running. Null before the first operation and after the last one. */
  current: { readonly index: number; readonly plan: Plan } | null;
}

/** The functions that run the statements of one attempt. */
interface Runners {
  readonly run: RunStatement;
  readonly runPair: RunPair;
}

/**
 * Runs the operations of a batch in order, in one transaction. An operation whose body refers to earlier
 * responses is planned again with their values, just before it runs.
 *
 * @throws AppError with the index of the rejected operation
 */
export async function runBatch(
  services: BatchRunServices,
  tenant: Tenant,
  batch: BatchPlan,
  optionsOf: OptionsOf,
  guard: WriteGuard | null,
): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const progress: Progress = { current: null };
    try {
      return await runOnce(services, tenant, batch, optionsOf, guard, progress);
    } catch (thrownError) {
      const { current } = progress;
      const error = toOperationError(thrownError, current, batch);
      const isRace =
        current?.plan.kind === 'upsert' &&
        error instanceof AppError &&
        (attempt === 1 ? mayBeUpsertRace(current.plan, error) : isUpsertRace(current.plan, error));
      if (!isRace || attempt === UPSERT_ATTEMPTS_MAX) throw error;
    }
  }
}

function toOperationError(thrownError: unknown, current: Progress['current'], batch: BatchPlan): unknown {
  const plan = current?.plan ?? batch.items[0]?.plan;
  const error = plan === undefined ? thrownError : toPlanError(thrownError, plan);
  return current === null ? error : nameOperation(error, current.index);
}

async function runOnce(
  services: BatchRunServices,
  tenant: Tenant,
  batch: BatchPlan,
  optionsOf: OptionsOf,
  guard: WriteGuard | null,
  progress: Progress,
): Promise<ApiResponse> {
  const mode = batch.preferences.transaction === 'rollback' ? 'dry_run' : 'transaction';
  return runAtPlacement(
    services,
    tenant.database,
    rowsTarget,
    { mode, waitMs: CONNECTION_WAIT_MS },
    async (run, runPair) => {
      progress.current = null;
      await guard?.begin(run);
      const response = respondBatch(
        await runItems(services, tenant, batch, optionsOf, { run, runPair }, progress),
        batch.preferences,
        joinParts,
      );
      progress.current = null;
      await guard?.end(run, response);
      return response;
    },
  );
}

async function runItems(
  services: BatchRunServices,
  tenant: Tenant,
  batch: BatchPlan,
  optionsOf: OptionsOf,
  { run, runPair }: Runners,
  progress: Progress,
): Promise<readonly ApiResponse[]> {
  const responses: ApiResponse[] = [];
  const readResponse = createResponseReader(responses, () =>
    services.scheduler.nextSlice(tenant.database.record.schemaName),
  );
  const budget = { bytes: 0, rows: 0, endMs: performance.now() + LIMITS.batchMsMax };
  for (const [index, item] of batch.items.entries()) {
    progress.current = { index, plan: item.plan };
    if (performance.now() > budget.endMs)
      throw new AppError('limit.batch_time', {
        detail:
          `The operations of the batch exceeded their total time limit of ${LIMITS.batchMsMax / 1_000} ` +
          'seconds. Nothing was changed.',
      });
    const plan = authorizePlan(
      planItem(item, index, optionsOf, await readReferences(item, readResponse)),
      tenant.view.rights,
      tenant.key.scopes,
    );
    progress.current = { index, plan };
    assertStorageQuota(tenant.database, plan.kind);
    const { capabilities } = tenant.database.record.server;
    const program = toStatements(plan, capabilities, services.digest);
    await admitPlanOn(services, tenant, plan, program.first.statements, run);
    const results = await runRounds(run, plan, program, capabilities, {
      runPair,
      admitNext: createNextAdmission(services, tenant, plan),
      pause: pauseOf(services, tenant.database),
    }).catch(async (error: unknown) => {
      await locateRejected(error, plan, run);
      throw error;
    });
    countRows(budget, results);
    await services.scheduler.nextSliceForRows(tenant.database.record.schemaName, results);
    const response = toResponse(plan, results, services.digest);
    budget.bytes += response.body?.length ?? 0;
    if (budget.bytes > LIMITS.answerBytesMax) throw new AppError('limit.response_size');
    responses.push(response);
  }
  return responses;
}

function countRows(budget: { rows: number }, results: readonly ResultSet[]): void {
  for (const result of results)
    if (result.statement.role.kind === 'write') budget.rows += result.affectedRows;
  if (budget.rows <= BATCH_ROWS_MAX) return;
  throw new AppError('record.max_affected', {
    detail: `A batch can change at most ${BATCH_ROWS_MAX} records. Nothing was changed.`,
    extra: { max_affected: BATCH_ROWS_MAX },
  });
}

/** Returns the body of an operation's response, or null when it is empty. */
type ReadResponse = (operation: number) => Promise<JsonValue | null>;

/**
 * Creates a reader of response bodies. Each body is parsed once, when it is first referenced. A long body is
 * parsed in slices between other requests.
 */
function createResponseReader(
  responses: readonly ApiResponse[],
  nextSlice: () => Promise<void>,
): ReadResponse {
  const read = new Map<number, JsonValue | null>();
  return async (operation) => {
    let value = read.get(operation);
    if (value === undefined) {
      const body = responses[operation]?.body ?? null;
      value = body === null ? null : await readJsonText(String(body), nextSlice);
      read.set(operation, value);
    }
    return value;
  };
}

/** Returns the response bodies that the operation refers to, at the indexes of their operations. */
async function readReferences(item: BatchItem, readResponse: ReadResponse): Promise<(JsonValue | null)[]> {
  const bodies: (JsonValue | null)[] = [];
  for (const reference of item.references) bodies[reference] = await readResponse(reference);
  return bodies;
}
