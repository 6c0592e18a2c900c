import { setImmediate as nextSlice } from 'node:timers/promises';
import { runStepsInSlices, type Snapshot } from '@rowhouse/schema-model';
import { renderSchemaSqlSteps } from '@rowhouse/sql-files';

/** Returns the statements of a schema, working in slices. Empty without a schema. */
export async function renderSchema(snapshot: Snapshot | null): Promise<string> {
  return snapshot === null ? '' : runStepsInSlices(renderSchemaSqlSteps(snapshot), () => nextSlice());
}
