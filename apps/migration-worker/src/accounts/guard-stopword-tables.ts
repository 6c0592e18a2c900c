import { RESERVED_PREFIX } from '@rowhouse/ddl-plan';
import { quoteName, quoteText, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { EngineKind } from '@rowhouse/schema-model';
import { listAlgorithms, tryAlgorithms } from '../online-ddl/steps/algorithm-fallback.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import { withWritableSchema } from './stored-objects.js';

const GUARD_COLUMN = `${RESERVED_PREFIX}first`;
/** The text explains the column to owners who read the table's definition. */
const GUARD_COMMENT = 'Prevents other accounts of the server from using this table as a stopword list';

const LOCK_WAIT_SECONDS = 2;

/**
 * The names are in the server's encoding for file names. A partition has a row of its own, whose name ends
 * with `#P#` and the name of the partition.
 */
const MARIADB_NAME = `SUBSTRING_INDEX(SUBSTRING(t.NAME, LOCATE('/', t.NAME) + 1), '#P#', 1)`;
/**
 * List the tables whose first column that is not virtual is a VARCHAR with the exact name `value`. MariaDB
 * would open every table and view for `information_schema.COLUMNS`, so this reads the tables of InnoDB's own
 * dictionary. The query for MySQL may list a table with more columns between a virtual one and `value`.
 */
const TABLES_SQL: Readonly<Record<EngineKind, string>> = {
  mariadb: `SELECT DISTINCT SUBSTRING_INDEX(t.NAME, '/', 1) AS schemaName,
      CONVERT(CONVERT(CAST(${MARIADB_NAME} AS BINARY) USING filename) USING utf8mb4) AS name
    FROM information_schema.INNODB_SYS_COLUMNS c JOIN information_schema.INNODB_SYS_TABLES t USING (TABLE_ID)
    WHERE c.NAME = BINARY 'value' AND c.POS = 0 AND c.MTYPE IN (1, 12)
      AND SUBSTRING_INDEX(t.NAME, '/', 1) REGEXP ?`,
  mysql: `SELECT c.TABLE_SCHEMA AS schemaName, c.TABLE_NAME AS name
    FROM information_schema.COLUMNS c
      JOIN information_schema.COLUMNS f
        ON f.TABLE_SCHEMA = c.TABLE_SCHEMA AND f.TABLE_NAME = c.TABLE_NAME AND f.ORDINAL_POSITION = 1
      JOIN information_schema.TABLES t
        ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME AND t.TABLE_TYPE = 'BASE TABLE'
    WHERE c.COLUMN_NAME = BINARY 'value' AND c.DATA_TYPE = 'varchar'
      AND (c.ORDINAL_POSITION = 1 OR f.EXTRA LIKE '%VIRTUAL%') AND c.TABLE_SCHEMA REGEXP ?`,
};

interface StopwordTable {
  readonly schemaName: string;
  readonly name: string;
}

/**
 * Prevents accounts of other databases from using tables as stopword lists. Engines read the table that a
 * session names in `innodb_ft_user_stopword_table` without a right to it, and any session may set the
 * variable. A full-text index then leaves out the words that are rows of that table. Engines accept only
 * tables whose first column is a VARCHAR `value`. Each such table therefore gets an invisible first column
 * with a reserved name, which no schema, export or `SELECT *` contains.
 *
 * @param schemaName checks one schema, or all schemas of databases
 * @returns the number of changed tables
 */
export async function guardStopwordTables(
  ctx: Pick<WorkerContext, 'access' | 'logger'>,
  server: WorkerServer,
  schemaName?: string,
): Promise<number> {
  if (server.isDedicated || server.capabilities?.invisibleColumns !== true) return 0;
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const tables = await provisioner.rows<StopwordTable>(TABLES_SQL[server.engine], [
      `^${schemaName ?? 'p[a-z2-7]+'}$`,
    ]);
    if (tables.length === 0) return 0;
    await provisioner.run(`SET SESSION lock_wait_timeout = ${LOCK_WAIT_SECONDS}, sql_mode = ''`);
    if (server.engine === 'mariadb')
      await provisioner.run("SET SESSION system_versioning_alter_history = 'KEEP'");
    let guarded = 0;
    for (const table of tables) if (await guardTable(ctx, provisioner, server, table)) guarded += 1;
    if (guarded > 0)
      ctx.logger.info({ server: server.id, guarded }, 'tables can no longer be used as stopword lists');
    return guarded;
  });
}

/**
 * Adds the invisible column. Returns false when the server rejects it, for example because the table is
 * locked. The next sweep tries again.
 */
async function guardTable(
  { logger }: Pick<WorkerContext, 'logger'>,
  provisioner: AdminConnection,
  { id, capabilities }: WorkerServer,
  { schemaName, name }: StopwordTable,
): Promise<boolean> {
  const table = `${quoteName(schemaName)}.${quoteName(name)}`;
  const sql = `ALTER TABLE ${table} ADD COLUMN ${quoteName(GUARD_COLUMN)} tinyint INVISIBLE COMMENT ${quoteText(GUARD_COMMENT)} FIRST`;
  const send = (statement: string): Promise<unknown> =>
    withWritableSchema(provisioner, schemaName, () => provisioner.run(statement));
  try {
    const algorithms = capabilities === null ? [] : listAlgorithms(capabilities, sql);
    // The copy blocks writes. It is the only algorithm for tables with full-text indexes or virtual columns.
    if ((await tryAlgorithms(algorithms, sql, send)) === null) await send(sql);
    return true;
  } catch (error) {
    if (readServerFault(error)?.isConnectionLost !== false) throw error;
    logger.warn(
      { server: id, schema: schemaName, table: name, err: error },
      'a table can still be used as a stopword list',
    );
    return false;
  }
}
