import type { EngineCapabilities } from '@rowhouse/schema-model';
import type { Authorized, Plan } from '../plan/plan.js';
import { aggregateProgram } from './read/aggregate-program.js';
import { changeManyProgram } from './write/change-many-program.js';
import { deleteProgram, updateProgram } from './write/change-program.js';
import { createProgram } from './write/create-program.js';
import { explainProgram } from './read/explain-program.js';
import { nestedProgram } from './write/nested-program.js';
import { listProgram, readProgram } from './read/read-program.js';
import type { StatementProgram } from './statement.js';
import { upsertProgram } from './write/upsert-program.js';
import type { DigestCells } from '../values/cell.js';

/**
 * Returns the statements of a plan. Names come from the schema snapshot, and values are bound as parameters.
 * `digest` computes the record versions that `If-Match` is compared with.
 */
export function toStatements(
  plan: Authorized<Plan>,
  capabilities: Pick<EngineCapabilities, 'insertReturning'>,
  digest: DigestCells,
): StatementProgram {
  switch (plan.kind) {
    case 'list':
      return listProgram(plan);
    case 'explain':
      return explainProgram(plan);
    case 'aggregate':
      return aggregateProgram(plan);
    case 'read':
      return readProgram(plan);
    case 'create':
      return createProgram(plan, capabilities.insertReturning);
    case 'create_nested':
      return nestedProgram(plan, capabilities.insertReturning, digest);
    case 'update_nested':
      return nestedProgram(plan, capabilities.insertReturning, digest);
    case 'update':
      return updateProgram(plan, digest);
    case 'upsert':
      return upsertProgram(plan);
    case 'update_many':
    case 'delete_many':
      return changeManyProgram(plan);
    case 'delete':
      return deleteProgram(plan, digest);
  }
}
