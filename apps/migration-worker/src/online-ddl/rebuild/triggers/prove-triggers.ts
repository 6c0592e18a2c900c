import { AppError } from '@rowhouse/errors';
import { quoteName, readServerFault } from '@rowhouse/mysql';
import { cleanMessage } from '../../../scratch/apply-schema-text.js';
import { withScratch } from '../../../scratch/scratch-database.js';
import type { Run } from '../../run-state.js';
import type { UserTrigger } from '@rowhouse/platform-store';
import { listTriggerSettings } from './user-triggers.js';

/**
 * Checks that each trigger's text is a single statement. The server parses it under an account that can reach
 * only an empty schema, and rejects a text that continues after the first statement. This check is needed
 * because the texts are later sent in messages of several statements, under an account with more rights. A
 * second statement in a text would run with these rights.
 */
export async function proveTriggers(run: Run, triggers: readonly UserTrigger[]): Promise<void> {
  if (triggers.length === 0) return;
  await withScratch(run.ctx, run.server, async ({ plain: connection, schemaName }) => {
    for (const table of new Set(triggers.map((trigger) => trigger.table))) {
      const columns = await listColumns(run, table);
      await connection.run(
        `CREATE TABLE ${quoteName(table)} (${columns.map((name) => `${quoteName(name)} int`).join(', ')}, PRIMARY KEY (${quoteName(columns[0] ?? '')}))`,
      );
    }
    for (const [index, trigger] of triggers.entries()) {
      try {
        await connection.run(listTriggerSettings(trigger));
        await connection.run(
          `CREATE TRIGGER t${index} ${trigger.timing} ${trigger.event} ON ${quoteName(trigger.table)} FOR EACH ROW ${trigger.body}`,
        );
      } catch (error) {
        throw toRejection(trigger, schemaName, error);
      }
    }
  });
}

/** Returns the columns of a table. A trigger's body names them, and only their names matter. */
async function listColumns(run: Run, table: string): Promise<string[]> {
  const rows = await run.connection.rows<{ name: string }>(
    'SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION',
    [run.database.schemaName, table],
  );
  return rows.map((row) => row.name);
}

function toRejection(trigger: UserTrigger, schemaName: string, error: unknown): unknown {
  const fault = readServerFault(error);
  if (fault === null || fault.isConnectionLost) return error;
  return new AppError('schema.broken_object', {
    detail:
      `The trigger ${trigger.name} of ${trigger.table} cannot be created again from the definition ` +
      `that the server returns: ${cleanMessage(fault.message, schemaName)}`,
    hint: 'Drop the trigger, make the change, and create the trigger again.',
    extra: { table: trigger.table, trigger: trigger.name, errno: fault.errno },
  });
}
