import { AppError, PRIVILEGE_REQUIRED } from '@rowhouse/errors';
import { quoteName, readServerFault } from '@rowhouse/mysql';
import { cleanMessage } from '../../../scratch/apply-schema-text.js';
import { withConnection } from '../../../servers/server-access.js';
import type { Run } from '../../run-state.js';
import { proveTriggers } from './prove-triggers.js';
import type { UserTrigger } from '@rowhouse/platform-store';
import type { RebuildOrder } from '../read-rebuild-details.js';
import { makeRebuildNames } from '../rebuild-names.js';
import { createTriggerSql, listTriggerSettings, readUserTriggers } from './user-triggers.js';

/**
 * Creates each user trigger once on the empty shadow table and drops it again. An error then shows early that
 * a trigger names a dropped column, or that this server does not allow triggers for other accounts. At the
 * swap, such an error would be too late.
 */
export async function tryTriggers(run: Run, order: RebuildOrder): Promise<void> {
  for (const [index, details] of order.tables.entries()) {
    const triggers = await readUserTriggers(run.connection, run.database.schemaName, details.table);
    if (triggers.length === 0) continue;
    const { shadow } = makeRebuildNames(run.migration.id, order.step, index);
    await proveTriggers(run, triggers);
    await withConnection(run.ctx.access.openSwapper(run.server, run.database.schemaName), async (swapper) => {
      for (const trigger of triggers) {
        const trial = { ...trigger, name: `${shadow}t` };
        try {
          await swapper.run(listTriggerSettings(trial));
          await swapper.run(createTriggerSql(trial, shadow, { isDeafToCapture: true }));
        } catch (error) {
          throw toRejection(run, trigger, error);
        }
        await swapper.run(`DROP TRIGGER ${quoteName(trial.name)}`);
      }
    });
  }
}

function toRejection(run: Run, trigger: UserTrigger, error: unknown): unknown {
  const fault = readServerFault(error);
  if (fault === null || fault.isConnectionLost) return error;
  const extra = { table: trigger.table, trigger: trigger.name, errno: fault.errno };
  if (fault.errno === PRIVILEGE_REQUIRED) {
    return new AppError('schema.not_possible', {
      detail:
        `The trigger ${trigger.name} of ${trigger.table} belongs to another account, and this server ` +
        'does not allow it to be created again.',
      hint: 'Drop the trigger, make the change, and create the trigger again.',
      extra,
      internal: fault.message,
    });
  }
  return new AppError('schema.broken_object', {
    detail: `The trigger ${trigger.name} of ${trigger.table} would no longer work: ${cleanMessage(fault.message, run.database.schemaName)}`,
    extra,
  });
}
