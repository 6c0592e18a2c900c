import { AppError } from '@rowhouse/errors';
import { effectiveVerbs, type Rights, type Steps } from '@rowhouse/schema-model';
import type { ApiRequest } from '../request/api-request.js';
import { inOperation, nameOperation } from '../request/fault-list.js';
import type { JsonValue } from '../request/json-value.js';
import type { BatchRequest } from '../request/parse-batch.js';
import { authorizePlan } from './authorize-plan.js';
import { planRequest } from './plan-request.js';
import type { PlanOptions } from './plan-parts.js';
import type { Plan } from './plan.js';

/**
 * The maximum number of records in all operations of a batch together. It equals the maximum for a single
 * request.
 */
export const BATCH_ROWS_MAX = 10_000;

/**
 * An operation of a batch with its plan. Values from responses of earlier operations may still be missing in
 * the plan.
 */
export interface BatchItem {
  readonly request: ApiRequest;
  readonly plan: Plan;
  /**
   * The indexes of the operations to whose responses this operation refers. If there are any, the operation
   * is planned again before it runs.
   */
  readonly references: readonly number[];
}

export interface BatchPlan {
  readonly preferences: BatchRequest['preferences'];
  readonly items: readonly BatchItem[];
}

/**
 * Returns the options for planning one operation. `If-Match` tags are checked against the operation's own
 * table.
 */
export type OptionsOf = (request: ApiRequest) => PlanOptions;

/**
 * Plans every operation before the first one runs, with one operation in each step of the generator. Throws
 * an AppError with the index of the invalid operation.
 */
export function* planBatchSteps(batch: BatchRequest, optionsOf: OptionsOf): Steps<BatchPlan> {
  let rows = 0;
  const items: BatchItem[] = [];
  for (const [index, request] of batch.operations.entries()) {
    const item = inOperation(index, () => planOperation(request, index, optionsOf));
    rows += countRows(item.plan);
    if (rows > BATCH_ROWS_MAX) throw nameOperation(tooManyRows(), index);
    items.push(item);
    yield;
  }
  return { preferences: batch.preferences, items };
}

function planOperation(request: ApiRequest, index: number, optionsOf: OptionsOf): BatchItem {
  const references = new Set<number>();
  const source = {
    operations: index,
    bodyOf: () => undefined,
    note: (operation: number) => void references.add(operation),
  };
  const plan = planRequest(request, { ...optionsOf(request), references: source });
  return { request, plan, references: [...references] };
}

/**
 * Plans an operation again when the responses of earlier operations are known. `bodies` contains the bodies
 * of these responses. An empty body is null.
 */
export function planItem(
  { request, plan, references }: BatchItem,
  index: number,
  optionsOf: OptionsOf,
  bodies: readonly (JsonValue | null)[],
): Plan {
  if (references.length === 0) return plan;
  return planRequest(request, {
    ...optionsOf(request),
    references: { operations: index, bodyOf: (operation) => bodies[operation], note: () => undefined },
  });
}

/**
 * Returns the plan if the API key has all required rights. Otherwise throws 403 `auth.scope` with the
 * operation, the scope and the table. An operation that refers to the result of another one requires the
 * right to read it.
 */
export function authorizeBatch(batch: BatchPlan, rights: Rights, scopes: readonly string[]): BatchPlan {
  batch.items.forEach(({ plan, references }, index) =>
    inOperation(index, () => {
      authorizePlan(plan, rights, scopes);
      for (const reference of references) {
        const { name } = batch.items[reference]?.plan.table ?? plan.table;
        if (effectiveVerbs(rights, name)?.includes('read') === true) continue;
        throw new AppError('auth.scope', {
          detail: `$ref requires the scope "read" on ${name}, which the key does not have.`,
          extra: { scope: 'read', table: name },
        });
      }
    }),
  );
  return batch;
}

function countRows(plan: Plan): number {
  if (plan.kind === 'create_nested' || plan.kind === 'update_nested') return plan.steps.length;
  return plan.kind === 'create' || plan.kind === 'upsert' ? plan.rows.length : 0;
}

function tooManyRows(): AppError {
  return new AppError('limit.batch_rows', {
    faults: [
      {
        loc: ['body'],
        msg: `A batch can create at most ${BATCH_ROWS_MAX} records.`,
        type: 'too_long',
      },
    ],
  });
}
