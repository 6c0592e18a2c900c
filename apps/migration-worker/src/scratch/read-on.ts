import { setImmediate as nextSlice } from 'node:timers/promises';
import { AppError } from '@rowhouse/errors';
import type { WorkerServer } from '@rowhouse/platform-store';
import { runStepsInSlices, type RawSchema, type Snapshot } from '@rowhouse/schema-model';
import { writeSchemaSteps } from '@rowhouse/sql-files';
import { applySchemaText } from './apply-schema-text.js';
import { withScratch, type ScratchDatabase } from './scratch-database.js';
import { loadSnapshot } from './try-steps.js';
import { readSchema } from '../snapshots/inspect-schema.js';
import type { WorkerContext } from '../worker-context.js';

/** Converts a draft that was created on one server to the form in which another server describes it. */
export function readOn(
  ctx: Pick<WorkerContext, 'access' | 'failPoint'>,
  server: WorkerServer,
  draft: Snapshot,
): Promise<RawSchema> {
  return withScratch(ctx, server, async (scratch) => {
    await loadDraft(scratch, server, draft);
    return readSchema(scratch.connection, scratch.schemaName, server.engine);
  });
}

/**
 * Loads a draft into an empty scratch database. A server of another engine reads the draft as SQL text, like
 * an imported file.
 * @throws AppError `schema.invalid_sql` if the other engine does not accept a statement, or an object has no
 * portable text
 */
export async function loadDraft(
  scratch: ScratchDatabase,
  server: WorkerServer,
  draft: Snapshot,
): Promise<void> {
  if (draft.engine === server.engine) return loadSnapshot(scratch, draft);
  const { sql, omitted } = await runStepsInSlices(writeSchemaSteps(draft), () => nextSlice());
  const [first] = omitted;
  // If the draft lacked this object, the plan would drop the deployed object of the same name.
  if (first !== undefined)
    throw new AppError('schema.invalid_sql', {
      detail: `The ${first.object} ${first.name} cannot be deployed to ${server.engine}: ${first.reason}`,
    });
  await applySchemaText(scratch, server, sql);
}
