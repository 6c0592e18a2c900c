/** Zero dates and zero numbers load as they are, and quotes and backslashes mean what they mean here. */
const SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION';

/** What a file starts and ends with. After the end the session is as it was. */
export interface FileFrame {
  readonly head: string;
  readonly tail: string;
}

/**
 * The first line turns the commands of MariaDB's client off (MDEV-21178); other clients and the servers take it for a
 * comment. The second one tells both clients that the text is UTF-8: a client that reads GBK or Shift JIS would take the
 * first byte of a quote or backslash for a part of the character before it.
 */
const CLIENT_LINES = '/*M!999999\\- enable the sandbox mode */\n/*!999999\\C utf8mb4 */\n';

const SETTINGS: Readonly<Record<string, string>> = { time_zone: "'+00:00'", foreign_key_checks: '0' };

function listSettings(names: readonly string[], sqlMode: string): { before: string[]; after: string[] } {
  const valueOf = (name: string): string => (name === 'sql_mode' ? `'${sqlMode}'` : (SETTINGS[name] ?? ''));
  return {
    before: [
      'SET NAMES utf8mb4',
      `SET ${names.map((name) => `@rowhouse_${name} = @@SESSION.${name}`).join(', ')}`,
      `SET SESSION ${names.map((name) => `${name} = ${valueOf(name)}`).join(', ')}`,
    ],
    after: [`SET SESSION ${names.map((name) => `${name} = @rowhouse_${name}`).join(', ')}`],
  };
}

// Strict servers take no table whose definition was taken under another mode.
const SCHEMA_SETTINGS = listSettings(['sql_mode', 'time_zone', 'foreign_key_checks'], SQL_MODE);
const CHANGE_SETTINGS = listSettings(['sql_mode', 'time_zone'], `STRICT_TRANS_TABLES,${SQL_MODE}`);

function makeFrame({ before, after }: { before: string[]; after: string[] }): FileFrame {
  const end = (settings: readonly string[]): string => settings.map((setting) => `${setting};\n`).join('');
  return { head: `${CLIENT_LINES}${end(before)}`, tail: end(after) };
}

/** Of a schema, with or without rows, for an empty database. */
export const FILE_FRAME = makeFrame(SCHEMA_SETTINGS);
/** Of changes to a database that has rows: foreign keys stay checked. */
export const CHANGE_FRAME = makeFrame(CHANGE_SETTINGS);

const KNOWN: ReadonlySet<string> = new Set([SCHEMA_SETTINGS, CHANGE_SETTINGS].flatMap(({ before, after }) => [...before, ...after]));

/** Returns whether a statement belongs to the frame of a file, which readers of files skip without a word. */
export function isFileSetting(sql: string): boolean {
  return KNOWN.has(sql.trim());
}

/** Returns a comment of one line. Tenants choose parts of the text, so that only printable ASCII without a backslash stays. */
export function toCommentLine(text: string): string {
  return `-- ${text.replaceAll('\\', '/').replaceAll(/[^\x20-\x7e]/g, ' ')}\n`;
}
