import { NO_SUCH_TRIGGER } from '@rowhouse/errors';
import { quoteName } from '@rowhouse/schema-model';
import type { AdminConnection } from '../admin/admin-connection.js';
import { readServerFault } from '../admin/admin-session.js';
import { cutTriggerBody } from './trigger-text.js';

/** A row of information_schema.TRIGGERS. */
export interface TriggerSource {
  readonly name: string;
  /** The value of ACTION_STATEMENT. */
  readonly statement: string;
  readonly sqlMode: string;
}

/**
 * Returns the bodies of the triggers as their owners wrote them, in the given order. They are read with SHOW
 * CREATE TRIGGER. information_schema omits the escapes of quotes (MySQL) or backslashes (MariaDB), so a
 * string in it may seem to end too early.
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
 * Removes a trailing semicolon and white space. If several statements are sent in one message, MySQL stores
 * the semicolon after the CREATE TRIGGER as part of the trigger's body. A loop is used, because a regular
 * expression would scan each run of blanks again from each of its positions.
 */
function trimBody(body: string): string {
  let end = body.length;
  while (end > 0 && /[;\s]/.test(body.charAt(end - 1))) end -= 1;
  return body.slice(0, end);
}
