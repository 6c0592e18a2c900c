import { quoteName, type Routine } from '@rowhouse/schema-model';
import type { AdminConnection } from './admin-connection.js';

/**
 * The procedures and functions of a schema whose text this session may see: those that its own account made. What others
 * made over direct connections stays theirs alone.
 */
export async function introspectRoutines(connection: AdminConnection, schemaName: string): Promise<Routine[]> {
  const rows = await connection.rows<{ name: string; kind: string }>(
    'SELECT ROUTINE_NAME AS name, ROUTINE_TYPE AS kind FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ? ORDER BY ROUTINE_TYPE, ROUTINE_NAME',
    [schemaName],
  );
  const routines: Routine[] = [];
  for (const row of rows) {
    const word = row.kind === 'FUNCTION' ? 'Function' : 'Procedure';
    const [shown] = await connection.rows<Record<string, string | null>>(`SHOW CREATE ${word.toUpperCase()} ${quoteName(schemaName)}.${quoteName(row.name)}`);
    const text = shown?.[`Create ${word}`] ?? null;
    if (text !== null) routines.push({ name: row.name, kind: row.kind === 'FUNCTION' ? 'function' : 'procedure', createSql: cleanRoutine(text, schemaName) });
  }
  return routines;
}

function cleanRoutine(text: string, schemaName: string): string {
  return text
    .replace(/^CREATE DEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*` /, 'CREATE ')
    .replace(`${quoteName(schemaName)}.`, '');
}
