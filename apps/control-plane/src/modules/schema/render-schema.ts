import { setImmediate as nextTurn } from 'node:timers/promises';
import { doStepsInTurns, type Snapshot } from '@rowhouse/schema-model';
import { renderSchemaSqlSteps } from '@rowhouse/sql-files';

/** Returns the statements of a schema, working in slices. Empty without a schema. */
export async function renderSchema(snapshot: Snapshot | null): Promise<string> {
  return snapshot === null ? '' : doStepsInTurns(renderSchemaSqlSteps(snapshot), () => nextTurn());
}
