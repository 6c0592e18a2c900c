import { AppError } from '@rowhouse/errors';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { RawSchema, Snapshot } from '@rowhouse/schema-model';
import { withScratch } from '../scratch/scratch-database.js';
import { loadSnapshot } from '../scratch/try-steps.js';
import { readSchema } from '../snapshots/look-at-schema.js';
import type { WorkerContext } from '../worker-context.js';

/** Returns a draft that was created on one server as another server of the same engine describes it. */
export function readOn(ctx: WorkerContext, server: WorkerServer, draft: Snapshot): Promise<RawSchema> {
  if (draft.engine !== server.engine) {
    throw new AppError('schema.invalid_sql', { detail: `A schema drafted on ${draft.engine} cannot be deployed to a ${server.engine} server.` });
  }
  return withScratch(ctx, server, async (scratch) => {
    await loadSnapshot(scratch, draft);
    return readSchema(scratch.connection, scratch.schemaName, server.engine);
  });
}
