/**
 * The SQL mode with which a file is loaded. Zero dates and zero numbers are loaded unchanged, and quotes and
 * backslashes have their default meaning.
 */
const SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION';

/** The first and the last lines of a file. The last lines restore the settings of the session. */
export interface FileFrame {
  readonly head: string;
  readonly tail: string;
}

/**
 * The first two lines of a file. The first disables the commands of MariaDB's client (MDEV-21178). For other
 * clients and for servers, it is a comment. The second declares the text as UTF-8 for both clients.
 * Otherwise, a client that expects GBK or Shift JIS could read a quote or backslash as the second byte of a
 * character.
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

// The settings of a schema file. In strict mode, a server would reject a table whose definition was accepted
// in another SQL mode.
const SCHEMA_SETTINGS = listSettings(['sql_mode', 'time_zone', 'foreign_key_checks'], SQL_MODE);
const CHANGE_SETTINGS = listSettings(['sql_mode', 'time_zone'], `STRICT_TRANS_TABLES,${SQL_MODE}`);

function makeFrame({ before, after }: { before: string[]; after: string[] }): FileFrame {
  const end = (settings: readonly string[]): string => settings.map((setting) => `${setting};\n`).join('');
  return { head: `${CLIENT_LINES}${end(before)}`, tail: end(after) };
}

/** The first and last lines of a file with a schema, with or without rows, for an empty database. */
export const FILE_FRAME = makeFrame(SCHEMA_SETTINGS);
/**
 * The first and last lines of a file with changes to a database that contains rows. Foreign keys are checked.
 */
export const CHANGE_FRAME = makeFrame(CHANGE_SETTINGS);

const KNOWN: ReadonlySet<string> = new Set(
  [SCHEMA_SETTINGS, CHANGE_SETTINGS].flatMap(({ before, after }) => [...before, ...after]),
);

/**
 * Reports whether a statement belongs to the first or last lines of a file. Importers skip such statements
 * without a note.
 */
export function isFileSetting(sql: string): boolean {
  return KNOWN.has(sql.trim());
}

/**
 * Returns a comment of one line. Users choose parts of the text, so all characters except printable ASCII are
 * removed, and backslashes are replaced.
 */
export function toCommentLine(text: string): string {
  return `-- ${text.replaceAll('\\', '/').replaceAll(/[^\x20-\x7e]/g, ' ')}\n`;
}
