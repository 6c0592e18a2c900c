import { NO_SUCH_TRIGGER } from '@rowhouse/errors';
import { quoteName } from '@rowhouse/schema-model';
import type { AdminConnection } from '../admin/admin-connection.js';
import { readServerFault } from '../admin/admin-session.js';
import { cutTriggerBody } from './trigger-text.js';

/** A row of information_schema.TRIGGERS. */
export interface TriggerSource {
  readonly name: string;
  /** ACTION_STATEMENT */
  readonly statement: string;
  readonly sqlMode: string;
}

/**
 * Returns the bodies of triggers in order, as their owners wrote them. Uses SHOW CREATE TRIGGER, because
 * information_schema omits the escapes of quotes (MySQL) or backslashes (MariaDB), so a text may seem to end
 * too early.
 */
export function readTriggerBodies(
  connection: Pick<AdminConnection, 'rows'>,
  schemaName: string,
  triggers: readonly TriggerSource[],
): Promise<string[]> {
  return Promise.all(
    triggers.map(async (trigger) =>
      trimBody((await readOriginal(connection, schemaName, trigger)) ?? trigger.statement),
    ),
  );
}

/** Returns the body of one trigger. Null if the trigger was dropped after it was listed. */
async function readOriginal(
  connection: Pick<AdminConnection, 'rows'>,
  schemaName: string,
  { name, sqlMode }: TriggerSource,
): Promise<string | null> {
  try {
    const [visible] = await connection.rows<Record<string, string>>(
      `SHOW CREATE TRIGGER ${quoteName(schemaName)}.${quoteName(name)}`,
    );
    return cutTriggerBody(visible?.['SQL Original Statement'] ?? '', sqlMode);
  } catch (error) {
    if (readServerFault(error)?.errno === NO_SUCH_TRIGGER) return null;
    throw error;
  }
}

/**
 * MySQL includes the semicolon before the next statement of a message in the trigger. This uses a loop,
 * because a pattern would rescan every run of blanks from each of its positions.
 */
function trimBody(body: string): string {
  let end = body.length;
  while (end > 0 && /[;\s]/.test(body.charAt(end - 1))) end -= 1;
  return body.slice(0, end);
}
