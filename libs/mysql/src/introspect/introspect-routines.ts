import { NO_SUCH_ROUTINE } from '@rowhouse/errors';
import { quoteName, type Routine } from '@rowhouse/schema-model';
import type { AdminConnection } from '../admin/admin-connection.js';
import { readServerFault } from '../admin/admin-session.js';
import { respellBody, cutDefiner } from './trigger-text.js';

/**
 * Runs `callback` with a session that can read the text of all routines, including those that other accounts
 * have defined.
 */
export type WithDefinitions = <T>(callback: (connection: AdminConnection) => Promise<T>) => Promise<T>;

/** Receives the name of a skipped routine and the reason. */
export type OnUnread = (name: string, reason: string) => void;

interface RoutineRow {
  readonly name: string;
  readonly kind: string;
}

/**
 * Returns the procedures and functions of a schema, sorted by kind and name. A server shows the text of a
 * routine only to its definer and to accounts with rights on all schemas. `withDefinitions` opens a session
 * with such an account; it is called only if the schema has routines. Without it, `connection` reads the
 * texts and skips routines whose text it may not see.
 */
export async function introspectRoutines(
  connection: AdminConnection,
  schemaName: string,
  withDefinitions?: WithDefinitions,
  onUnread: OnUnread = () => undefined,
): Promise<Routine[]> {
  const rows = await connection.rows<RoutineRow>(
    'SELECT ROUTINE_NAME AS name, ROUTINE_TYPE AS kind FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? ORDER BY ROUTINE_TYPE, ROUTINE_NAME',
    [schemaName],
  );
  if (rows.length === 0) return [];
  const read = (session: AdminConnection): Promise<Routine[]> =>
    readTexts(session, schemaName, rows, onUnread);
  return withDefinitions === undefined ? read(connection) : withDefinitions(read);
}

async function readTexts(
  connection: AdminConnection,
  schemaName: string,
  rows: readonly RoutineRow[],
  onUnread: OnUnread,
): Promise<Routine[]> {
  const routines: Routine[] = [];
  for (const { name, kind } of rows) {
    if (kind !== 'FUNCTION' && kind !== 'PROCEDURE')
      onUnread(name, `objects of the kind ${kind} are not supported.`);
    else {
      const createSql = await readText(connection, schemaName, name, kind, onUnread);
      if (createSql !== null)
        routines.push({ name, kind: kind === 'FUNCTION' ? 'function' : 'procedure', createSql });
    }
  }
  return routines;
}

/** Returns null for a routine that was dropped after it was listed, or that cannot be read. */
async function readText(
  connection: AdminConnection,
  schemaName: string,
  name: string,
  kind: 'FUNCTION' | 'PROCEDURE',
  onUnread: OnUnread,
): Promise<string | null> {
  try {
    const [visible] = await connection.rows<Record<string, string | null>>(
      `SHOW CREATE ${kind} ${quoteName(schemaName)}.${quoteName(name)}`,
    );
    const text = visible?.[kind === 'FUNCTION' ? 'Create Function' : 'Create Procedure'] ?? null;
    const sqlMode = visible?.['sql_mode'] ?? '';
    const isOracle = sqlMode.split(',').includes('ORACLE');
    if (text === null) onUnread(name, 'only its own account can read its definition.');
    // Routines created under sql_mode ORACLE are skipped, because their text uses Oracle's syntax.
    else if (isOracle) onUnread(name, 'it was created under sql_mode ORACLE.');
    return text === null || isOracle ? null : cleanRoutine(respellBody(text, sqlMode), schemaName);
  } catch (error) {
    if (readServerFault(error)?.errno === NO_SUCH_ROUTINE) return null;
    throw error;
  }
}

function cleanRoutine(text: string, schemaName: string): string {
  return cutDefiner(text).replace(`${quoteName(schemaName)}.`, '');
}
