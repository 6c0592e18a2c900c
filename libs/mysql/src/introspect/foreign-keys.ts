import { type ForeignKey, quoteName, type ReferentialAction } from '@rowhouse/schema-model';
import type { AdminConnection } from '../admin/admin-connection.js';

const NAME = '`((?:[^`]|``)+)`';

const NAMES = '\\(((?:`(?:[^`]|``)+`(?:, ?)?)+)\\)';

const FOREIGN_KEY = new RegExp(
  `^CONSTRAINT ${NAME} FOREIGN KEY ${NAMES} REFERENCES (?:${NAME}\\.)?${NAME} ${NAMES}(.*)$`,
  's',
);

const ACTION = 'RESTRICT|CASCADE|SET NULL|NO ACTION|SET DEFAULT';

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
/** Matches a foreign key line whose names contain no backquotes. Such a line is unambiguous. */
const PLAIN_LINE =
  /^ {2}CONSTRAINT `[^`]+` FOREIGN KEY \(`[^`]+`(?:, `[^`]+`)*\) REFERENCES (?:`[^`]+`\.)?`[^`]+` \(`[^`]+`(?:, `[^`]+`)*\)(?: ON (?:DELETE|UPDATE) (?:CASCADE|SET NULL|NO ACTION|SET DEFAULT|RESTRICT))*,?$/;

/**
 * Rebuilds ambiguous foreign keys from information_schema. MariaDB up to 10.11.18 does not double backquotes
 * within the names of a foreign key in SHOW CREATE TABLE, so no server can parse that text. If one line of a
 * table is ambiguous, all its foreign keys are rebuilt.
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

/**
 * Parses a foreign key from a line of SHOW CREATE TABLE. Returns null for another line. The alternative,
 * joining two views of information_schema, makes MariaDB open every table of every schema.
 *
 * @param unexplained the action of a key without ON DELETE or ON UPDATE
 */
export function parseForeignKey(line: string, unexplained: ReferentialAction): ForeignKey | null {
  const match = FOREIGN_KEY.exec(line);
  if (match === null) return null;
  const [, name = '', columns = '', , table = '', referenced = '', tail = ''] = match;
  const action = (word: string): ReferentialAction =>
    (new RegExp(` ON ${word} (${ACTION})`).exec(tail)?.[1] as ReferentialAction | undefined) ?? unexplained;
  return {
    name: unquote(name),
    columns: readNames(columns),
    referencedTable: unquote(table),
    referencedColumns: readNames(referenced),
    onDelete: action('DELETE'),
    onUpdate: action('UPDATE'),
    definition: line,
  };
}

function readNames(list: string): string[] {
  return [...list.matchAll(/`((?:[^`]|``)+)`/g)].map((match) => unquote(match[1] ?? ''));
}

function unquote(name: string): string {
  return name.replaceAll('``', '`');
}
