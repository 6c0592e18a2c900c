import { quoteName, quoteText, readTriggerBodies, type AdminConnection } from '@rowhouse/mysql';
import type { UserTrigger } from '@rowhouse/platform-store';

interface TriggerRow {
  readonly table: string;
  readonly name: string;
  readonly timing: string;
  readonly event: string;
  readonly statement: string;
  readonly definer: string;
  readonly sqlMode: string;
  readonly collation: string;
  readonly base: string;
}

const TRIGGERS_SQL = `SELECT EVENT_OBJECT_TABLE AS \`table\`, TRIGGER_NAME AS name, ACTION_TIMING AS timing, EVENT_MANIPULATION AS event, ACTION_STATEMENT AS statement,
  DEFINER AS definer, SQL_MODE AS sqlMode, COLLATION_CONNECTION AS collation, DATABASE_COLLATION AS base
  FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ?`;
const ORDER_SQL = ' ORDER BY EVENT_OBJECT_TABLE, ACTION_TIMING, EVENT_MANIPULATION, ACTION_ORDER';

/** Returns a table's user triggers in the order in which they fire. */
export async function readUserTriggers(
  connection: AdminConnection,
  schemaName: string,
  table: string,
): Promise<UserTrigger[]> {
  const rows = await connection.rows<TriggerRow>(`${TRIGGERS_SQL} AND EVENT_OBJECT_TABLE = ?${ORDER_SQL}`, [
    schemaName,
    table,
  ]);
  return toTriggers(
    connection,
    schemaName,
    rows.filter((row) => !row.name.startsWith('_rh_')),
  );
}

/** Returns every trigger of a schema, including the platform's. */
export async function readExistingTriggers(
  connection: AdminConnection,
  schemaName: string,
): Promise<UserTrigger[]> {
  return toTriggers(
    connection,
    schemaName,
    await connection.rows<TriggerRow>(`${TRIGGERS_SQL}${ORDER_SQL}`, [schemaName]),
  );
}

async function toTriggers(
  connection: AdminConnection,
  schemaName: string,
  rows: readonly TriggerRow[],
): Promise<UserTrigger[]> {
  const bodies = await readTriggerBodies(connection, schemaName, rows);
  return rows.map(({ table, name, timing, event, definer, sqlMode, collation, base }, index) => ({
    table,
    name,
    timing,
    event,
    body: bodies[index] ?? '',
    definer: quoteDefiner(definer),
    sqlMode,
    collation,
    databaseCollation: base,
  }));
}

function quoteDefiner(definer: string): string {
  const index = definer.lastIndexOf('@');
  return `${quoteName(definer.slice(0, index))}@${quoteName(definer.slice(index + 1))}`;
}

/**
 * A statement in capture triggers that marks their writes. The variable keeps this value only during the
 * statement that ran the trigger.
 */
export const CAPTURED_SQL = 'SET @_rh_captured = NOW(6);';

/**
 * Returns statements that set the SQL mode under which the trigger was created, because the server must parse
 * its body in this mode. The character set of this session stays, because the text is encoded in it. In
 * another character set, the server could end the text early.
 */
export function listTriggerSettings(trigger: UserTrigger): string {
  return `SET SESSION sql_mode = ${quoteText(trigger.sqlMode)}, collation_connection = ${trigger.collation}`;
}

export interface TriggerForm {
  /** The order clause: `FOLLOWS …` or `PRECEDES …`. */
  readonly order?: string;
  readonly orReplace?: boolean;
  /**
   * Whether the trigger ignores rows that capture triggers write. It is used for triggers on a shadow table.
   */
  readonly isDeafToCapture?: boolean;
}

/** Returns a statement that creates the trigger on `table` with its original body and settings. */
export function createTriggerSql(
  trigger: UserTrigger,
  table: string,
  { order = '', orReplace = false, isDeafToCapture = false }: TriggerForm = {},
): string {
  const body = isDeafToCapture
    ? `IF NOT (@_rh_captured <=> NOW(6)) THEN\n${trigger.body}\n;\nEND IF`
    : trigger.body;
  return `CREATE ${orReplace ? 'OR REPLACE ' : ''}DEFINER = ${trigger.definer} TRIGGER ${quoteName(trigger.name)} ${trigger.timing} ${trigger.event} ON ${quoteName(table)} FOR EACH ROW ${order}${body}`;
}
