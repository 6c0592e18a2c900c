import type { Run } from '../run-state.js';
import { sendDdl } from '../send-ddl.js';
import { listCaptureTriggers } from './capture-triggers.js';
import { hasTrigger } from './prepare-shadows.js';
import type { RebuildDetails } from './rebuild-details.js';
import { makeRebuildNames } from './rebuild-names.js';
import type { RebuildOrder } from './read-rebuild-details.js';
import { withCopySession } from './copy-session.js';

/** Creates missing capture triggers. From here on, the shadows receive every write. */
export async function makeCaptures(run: Run, order: RebuildOrder, details: RebuildDetails): Promise<void> {
  await withCopySession(run, async () => {
    for (const member of details.members) {
      const names = makeRebuildNames(run.migration.id, order.step, member.at);
      const lateKeys = details.innerKeys.flatMap((key) =>
        key.at === member.at && key.late !== null ? [key.late] : [],
      );
      for (const trigger of listCaptureTriggers(member, names, lateKeys)) {
        if (await hasTrigger(run.connection, run.database.schemaName, trigger.name)) continue;
        await sendDdl(run, trigger.sql, [member.details.table, names.shadow]);
      }
    }
  });
}
