import type { EngineCapabilities } from '@rowhouse/schema-model';
import type { Plan } from '../plan/plan.js';
import type { StatementProgram } from './statement.js';

/** The statements of a plan; names come from the snapshot, values are bound. */
export function toStatements(_plan: Plan, _capabilities: Pick<EngineCapabilities, 'insertReturning'>): StatementProgram {
  throw new Error("not filled in");
}
