import { quoteName } from '@rowhouse/schema-model';
import type { AdminConnection } from './admin-connection.js';
import { readServerFault } from './admin-error.js';
import { cutTriggerBody } from './trigger-text.js';

/** A trigger as information_schema.TRIGGERS tells it. */
export interface ToldTrigger {
  readonly name: string;
  /** ACTION_STATEMENT */
  readonly statement: string;
  readonly sqlMode: string;
}

const NO_SUCH_TRIGGER = 1360;

/**
 * The bodies of triggers of `schemaName`, in their order, as their owners wrote them. information_schema tells texts without
 * what escapes the quotes (MySQL) or the backslashes (MariaDB) in them, so that one seems to end where its owner went on:
 * SHOW CREATE TRIGGER is asked.
 */
export function readTriggerBodies(connection: Pick<AdminConnection, 'rows'>, schemaName: string, triggers: readonly ToldTrigger[]): Promise<string[]> {
  return Promise.all(triggers.map(async (trigger) => trimBody((await readOriginal(connection, schemaName, trigger)) ?? trigger.statement)));
}

/** Null for one that is gone: whoever looks once more does not see it. */
async function readOriginal(connection: Pick<AdminConnection, 'rows'>, schemaName: string, { name, sqlMode }: ToldTrigger): Promise<string | null> {
  try {
    const [shown] = await connection.rows<Record<string, string>>(`SHOW CREATE TRIGGER ${quoteName(schemaName)}.${quoteName(name)}`);
    return cutTriggerBody(shown?.['SQL Original Statement'] ?? '', sqlMode);
  } catch (error) {
    if (readServerFault(error)?.errno === NO_SUCH_TRIGGER) return null;
    throw error;
  }
}

/**
 * MySQL takes the semicolon that parts a trigger from the next statement of a message for a part of it. A loop, since a pattern would
 * look again at every run of blanks inside, each time from each of them.
 */
function trimBody(body: string): string {
  let end = body.length;
  while (end > 0 && /[;\s]/.test(body.charAt(end - 1))) end -= 1;
  return body.slice(0, end);
}
