import { quoteName, type Routine } from '@rowhouse/schema-model';
import type { AdminConnection } from './admin-connection.js';
import { readServerFault } from './admin-error.js';
import { cutDefiner } from './cut-definer.js';

const NO_SUCH_ROUTINE = 1305;

/** Runs `work` with a session that may read the text of every routine, whoever created it. */
export type WithDefinitions = <T>(work: (connection: AdminConnection) => Promise<T>) => Promise<T>;

/**
 * Returns the procedures and functions of a schema, sorted by kind and name. Servers show the text of a routine to its
 * definer and to accounts with rights on all schemas: `withDefinitions` opens one of those, and is called only when the
 * schema has routines. Without it, `connection` reads the texts itself, and routines that it may not see are left out.
 */
export async function introspectRoutines(connection: AdminConnection, schemaName: string, withDefinitions?: WithDefinitions): Promise<Routine[]> {
  const rows = await connection.rows<{ name: string; kind: string }>(
    'SELECT ROUTINE_NAME AS name, ROUTINE_TYPE AS kind FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? ORDER BY ROUTINE_TYPE, ROUTINE_NAME',
    [schemaName],
  );
  if (rows.length === 0) return [];
  return withDefinitions === undefined ? readTexts(connection, schemaName, rows) : withDefinitions((session) => readTexts(session, schemaName, rows));
}

async function readTexts(connection: AdminConnection, schemaName: string, rows: readonly { name: string; kind: string }[]): Promise<Routine[]> {
  const routines: Routine[] = [];
  for (const row of rows) {
    const word = row.kind === 'FUNCTION' ? 'Function' : 'Procedure';
    const text = await readText(connection, `SHOW CREATE ${word.toUpperCase()} ${quoteName(schemaName)}.${quoteName(row.name)}`, `Create ${word}`);
    if (text !== null) routines.push({ name: row.name, kind: row.kind === 'FUNCTION' ? 'function' : 'procedure', createSql: cleanRoutine(text, schemaName) });
  }
  return routines;
}

/** Returns null for a routine that was dropped since it was listed, and for one whose text this session may not see. */
async function readText(connection: AdminConnection, sql: string, column: string): Promise<string | null> {
  try {
    const [shown] = await connection.rows<Record<string, string | null>>(sql);
    return shown?.[column] ?? null;
  } catch (error) {
    if (readServerFault(error)?.errno === NO_SUCH_ROUTINE) return null;
    throw error;
  }
}

function cleanRoutine(text: string, schemaName: string): string {
  return cutDefiner(text)
    .replace(`${quoteName(schemaName)}.`, '');
}
