import { quoteName } from '@rowhouse/schema-model';
import type { AdminConnection } from '../admin/admin-connection.js';

interface KeyPartRow {
  readonly CONSTRAINT_NAME: string;
  readonly COLUMN_NAME: string;
  readonly REFERENCED_TABLE_SCHEMA: string;
  readonly REFERENCED_TABLE_NAME: string;
  readonly REFERENCED_COLUMN_NAME: string;
}

interface KeyRuleRow {
  readonly CONSTRAINT_NAME: string;
  readonly UPDATE_RULE: string;
  readonly DELETE_RULE: string;
}

const PARTS_SQL = `SELECT CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
  FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND REFERENCED_TABLE_NAME IS NOT NULL
  ORDER BY CONSTRAINT_NAME, ORDINAL_POSITION`;
const RULES_SQL =
  'SELECT CONSTRAINT_NAME, UPDATE_RULE, DELETE_RULE FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = ? AND TABLE_NAME = ?';

const CHECK_LINE = /^ {2}CONSTRAINT `(?:[^`]|``)+` CHECK \(/;
/** A line whose names contain no backquotes. It is unambiguous. */
const PLAIN_LINE =
  /^ {2}CONSTRAINT `[^`]+` FOREIGN KEY \(`[^`]+`(?:, `[^`]+`)*\) REFERENCES (?:`[^`]+`\.)?`[^`]+` \(`[^`]+`(?:, `[^`]+`)*\)(?: ON (?:DELETE|UPDATE) (?:CASCADE|SET NULL|NO ACTION|SET DEFAULT|RESTRICT))*,?$/;

/**
 * Rebuilds ambiguous foreign keys from information_schema. MariaDB up to 10.11.18 does not double backquotes
 * within the names of a foreign key in SHOW CREATE TABLE, and no server can read that text again. If one line
 * is ambiguous, all foreign keys are rebuilt.
 */
export async function spellForeignKeys(
  connection: AdminConnection,
  schemaName: string,
  table: string,
  createSql: string,
): Promise<string> {
  const lines = createSql.split('\n');
  const isKey = (line: string): boolean =>
    line.startsWith('  CONSTRAINT `') && line.includes(' FOREIGN KEY (') && !CHECK_LINE.test(line);
  const isPlain = (line: string): boolean =>
    PLAIN_LINE.test(line) && line.split(' FOREIGN KEY (').length === 2;
  if (lines.every((line) => !isKey(line) || isPlain(line))) return createSql;
  const [parts, rules] = await Promise.all([
    connection.rows<KeyPartRow>(PARTS_SQL, [schemaName, table]),
    connection.rows<KeyRuleRow>(RULES_SQL, [schemaName, table]),
  ]);
  const spelled = rules
    .map((rule) =>
      spellKey(
        schemaName,
        rule,
        parts.filter((part) => part.CONSTRAINT_NAME === rule.CONSTRAINT_NAME),
      ),
    )
    .sort();
  const first = lines.findIndex(isKey);
  const before = lines.slice(0, first);
  const after = lines.slice(first).filter((line) => !isKey(line));
  const isLast = after[0]?.startsWith(')') === true;
  return [
    ...before,
    ...spelled.map((line, index) => `  ${line}${isLast && index === spelled.length - 1 ? '' : ','}`),
    ...after,
  ].join('\n');
}

function spellKey(schemaName: string, rule: KeyRuleRow, parts: readonly KeyPartRow[]): string {
  const [first] = parts;
  const list = (names: readonly string[]): string => names.map(quoteName).join(', ');
  const otherServer =
    first === undefined || first.REFERENCED_TABLE_SCHEMA === schemaName
      ? ''
      : `${quoteName(first.REFERENCED_TABLE_SCHEMA)}.`;
  const action = (word: string, name: string): string => (name === 'RESTRICT' ? '' : ` ON ${word} ${name}`);
  return (
    `CONSTRAINT ${quoteName(rule.CONSTRAINT_NAME)} FOREIGN KEY (${list(parts.map((part) => part.COLUMN_NAME))}) ` +
    `REFERENCES ${otherServer}${quoteName(first?.REFERENCED_TABLE_NAME ?? '')} (${list(parts.map((part) => part.REFERENCED_COLUMN_NAME))})` +
    action('DELETE', rule.DELETE_RULE) +
    action('UPDATE', rule.UPDATE_RULE)
  );
}
