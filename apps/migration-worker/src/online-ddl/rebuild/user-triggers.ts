import { quoteName, quoteText, trimBody, type AdminConnection } from '@rowhouse/mysql';
import type { UserTrigger } from './rebuild-checkpoint.js';

interface TriggerRow {
  readonly name: string;
  readonly timing: string;
  readonly event: string;
  readonly body: string;
  readonly definer: string;
  readonly mode: string;
  readonly client: string;
  readonly collation: string;
  readonly base: string;
}

/** The triggers of a table that are not the platform's, in the order in which they fire. */
export async function readUserTriggers(connection: AdminConnection, schemaName: string, table: string): Promise<UserTrigger[]> {
  const rows = await connection.rows<TriggerRow>(
    `SELECT TRIGGER_NAME AS name, ACTION_TIMING AS timing, EVENT_MANIPULATION AS event, ACTION_STATEMENT AS body, DEFINER AS definer,
       SQL_MODE AS mode, CHARACTER_SET_CLIENT AS client, COLLATION_CONNECTION AS collation, DATABASE_COLLATION AS base
     FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? AND EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ?
     ORDER BY ACTION_TIMING, EVENT_MANIPULATION, ACTION_ORDER`,
    [schemaName, schemaName, table],
  );
  return rows
    .filter((row) => !row.name.startsWith('_rh_'))
    .map((row) => ({
      table, name: row.name, timing: row.timing, event: row.event, body: trimBody(row.body), definer: quoteDefiner(row.definer),
      sqlMode: row.mode, characterSet: row.client, collation: row.collation, databaseCollation: row.base,
    }));
}

function quoteDefiner(definer: string): string {
  const at = definer.lastIndexOf('@');
  return `${quoteName(definer.slice(0, at))}@${quoteName(definer.slice(at + 1))}`;
}

/** Set by capture for the statement that it writes for: a value of an earlier statement says nothing. */
export const CAPTURED_SQL = 'SET @_rh_captured = NOW(6);';

/** A trigger's body is read under the mode and character set of the time when it was made. */
export function listTriggerSettings(trigger: UserTrigger): string {
  return `SET SESSION sql_mode = ${quoteText(trigger.sqlMode)}, character_set_client = ${trigger.characterSet}, collation_connection = ${trigger.collation}`;
}

export interface TriggerForm {
  /** `FOLLOWS …` or `PRECEDES …` */
  readonly order?: string;
  readonly orReplace?: boolean;
  /** On a shadow: it does not fire for rows that capture brings. */
  readonly isDeafToCapture?: boolean;
}

/** Makes the trigger on `table` just as it was made once. */
export function createTriggerSql(trigger: UserTrigger, table: string, { order = '', orReplace = false, isDeafToCapture = false }: TriggerForm = {}): string {
  const body = isDeafToCapture ? `IF NOT (@_rh_captured <=> NOW(6)) THEN\n${trigger.body}\n;\nEND IF` : trigger.body;
  return `CREATE ${orReplace ? 'OR REPLACE ' : ''}DEFINER = ${trigger.definer} TRIGGER ${quoteName(trigger.name)} ${trigger.timing} ${trigger.event} ON ${quoteName(table)} FOR EACH ROW ${order}${body}`;
}
