import type { AdminSession } from './admin-session.js';

/**
 * The storage engines that need no warning: those that hold no user tables, and InnoDB, which all tables
 * should use.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  'innodb',
  'performance_schema',
  'sequence',
  'ndbinfo',
  'temptable',
]);
/** A sort buffer of 1 TiB. A session never needs that much, and a server without a maximum accepts it. */
const TRIED_BYTES = 2 ** 40;
const ASKED = [
  'enforce_storage_engine',
  'disabled_storage_engines',
  'innodb_file_per_table',
  'performance_schema',
  'performance_schema_users_size',
  'xa_detach_on_prepare',
  'max_prepared_stmt_count',
];
/** As many prepared statements as direct sessions can have within their shares of memory, twice. */
const PREPARED_STATEMENTS_MIN = 1_000_000;

/**
 * Returns recommendations for a server that owners of databases reach over direct connections, one sentence
 * each. The list is empty if nothing needs to change. The check changes one setting of its own session and
 * restores it.
 */
export async function adviseServer(session: AdminSession): Promise<string[]> {
  const variables = await readVariables(session);
  const advice: string[] = [];
  const open = await listOpenEngines(session, variables);
  if (open.length > 0) {
    const cure = variables.has('disabled_storage_engines')
      ? `disabled_storage_engines=${open.join(',')}`
      : 'enforce_storage_engine=InnoDB';
    advice.push(
      `Database owners can create tables with ${open.join(', ')}. Such tables are lost in a crash, ` +
        `can fill memory or disk, and do not count toward a storage quota. Set ${cure}.`,
    );
  }
  if (variables.get('innodb_file_per_table') === 'OFF')
    advice.push('The disk use of databases cannot be measured. Set innodb_file_per_table=ON.');
  if (
    variables.get('performance_schema') === 'ON' &&
    variables.get('performance_schema_users_size') !== '0'
  ) {
    advice.push(
      'After every 128 new accounts, all logins wait for about 0.1 s, and each account uses about ' +
        '0.2 MB. Start the server with the performance-schema settings of infra/mysql/rowhouse.cnf.',
    );
  }
  if (variables.get('xa_detach_on_prepare') === 'ON')
    advice.push(
      'Any account can end a transaction that another one has prepared (XA), and a revocation ends all of ' +
        'them. Set xa_detach_on_prepare=OFF.',
    );
  if (Number(variables.get('max_prepared_stmt_count')) < PREPARED_STATEMENTS_MIN)
    advice.push(
      'Sessions of one organization can prepare so many statements that all others get errors. ' +
        'Set max_prepared_stmt_count=1048576.',
    );
  if (!(await boundsSessions(session)))
    advice.push(
      'Any session can request unlimited memory. Start the server with ' +
        'maximum-sort-buffer-size=64M and the other maximum settings of infra/mysql/rowhouse.cnf.',
    );
  return advice;
}

async function readVariables(session: AdminSession): Promise<ReadonlyMap<string, string>> {
  const rows = await session.rows<{ Variable_name: string; Value: string }>(
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${ASKED.map((name) => `'${name}'`).join(', ')})`,
  );
  return new Map(rows.map((row) => [row.Variable_name, row.Value]));
}

async function listOpenEngines(
  session: AdminSession,
  variables: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (variables.get('enforce_storage_engine')?.toLowerCase() === 'innodb') return [];
  const disabled = new Set((variables.get('disabled_storage_engines') ?? '').toLowerCase().split(/[\s,]+/));
  const rows = await session.rows<{ name: string }>(
    "SELECT ENGINE AS name FROM information_schema.ENGINES WHERE SUPPORT IN ('YES', 'DEFAULT')",
  );
  return rows
    .map(({ name }) => name)
    .filter((name) => !HARMLESS.has(name.toLowerCase()) && !disabled.has(name.toLowerCase()))
    .sort();
}

/**
 * Returns whether the server limits the memory settings of a session. No variable shows the maximum, so a
 * larger value is set and read back.
 */
async function boundsSessions(session: AdminSession): Promise<boolean> {
  // A server may also reject the large value, which means that it has a maximum.
  await session.run(`SET SESSION sort_buffer_size = ${TRIED_BYTES}`).catch(() => undefined);
  const [row] = await session.rows<{ bytes: string | number }>('SELECT @@SESSION.sort_buffer_size AS bytes');
  await session.run('SET SESSION sort_buffer_size = DEFAULT').catch(() => undefined);
  return Number(row?.bytes ?? 0) < TRIED_BYTES;
}
