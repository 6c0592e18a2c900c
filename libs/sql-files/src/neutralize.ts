import {
  commentOpeningAt,
  isSpaceUnit,
  skipComment,
  skipQuoted,
  type CommentOpening,
} from '@rowhouse/query-engine';

/**
 * Thrown for a text that cannot be made safe for every client. The message is the reason, as a text for
 * users.
 */
export class UnwritableSql extends Error {}

export interface NeutralSql {
  readonly sql: string;
  readonly hasComments: boolean;
}

/**
 * Rewrites a statement so that clients interpret nothing in it. Its meaning for servers does not change.
 * - Comments become spaces.
 * - Control characters in string literals become escapes.
 * - White space other than spaces, tabs and line feeds becomes a space.
 * - No line begins with a command of a client.
 *
 * @param keeps reports whether comments of a kind remain, which are versioned comments that the server itself
 * wrote
 * @throws UnwritableSql
 */
export function neutralize(sql: string, keeps: (opening: CommentOpening) => boolean): NeutralSql {
  const parts: string[] = [];
  let hasComments = false;
  let isInVersioned = false;
  let position = 0;
  while (position < sql.length) {
    const unit = sql.charCodeAt(position);
    const opening = commentOpeningAt(sql, position);
    let end = position + 1;
    if (unit === 0x27 || unit === 0x22 || unit === 0x60) {
      end = skipQuoted(sql, position);
      if (end === -1) throw new UnwritableSql('A quote is not closed.');
      parts.push(escapeQuoted(sql.slice(position, end)));
    } else if (isInVersioned && sql.startsWith('*/', position)) {
      isInVersioned = false;
      end = position + 2;
      parts.push('*/');
    } else if (opening !== null && keeps(opening)) {
      if (isInVersioned) throw new UnwritableSql('Versioned comments are nested.');
      isInVersioned = true;
      end = position + (opening === 'mariadb_executable' ? 4 : 3);
      parts.push(sql.slice(position, end));
    } else if (opening !== null) {
      hasComments = true;
      end = skipComment(sql, position, opening);
      // The comment is not closed. A server that accepted the text has treated the rest of it as a comment.
      if (end === -1) end = sql.length;
      parts.push(sql.slice(position, end).replaceAll(/[^\n]/g, ' '));
    } else {
      end = endOfCode(sql, position);
      parts.push(cleanCode(sql.slice(position, end)));
    }
    position = end;
  }
  if (isInVersioned) throw new UnwritableSql('A versioned comment is not closed.');
  const text = joinCommandLines(parts.join('')).trim();
  if (!text.isWellFormed()) throw new UnwritableSql('The text is not valid Unicode.');
  return { sql: text, hasComments };
}

const MAY_OPEN = /['"`#/*-]/g;

/** Returns the offset of the next character that may begin a quote or comment, or end a versioned comment. */
function endOfCode(sql: string, position: number): number {
  MAY_OPEN.lastIndex = position + 1;
  return MAY_OPEN.exec(sql)?.index ?? sql.length;
}

/** Escapes the characters in a string literal that clients would change. Names have no escapes. */
function escapeQuoted(quoted: string): string {
  if (quoted.startsWith('`')) assertName(quoted);
  else if (/[\0\r\x1a]/.test(quoted))
    return quoted.replaceAll(/\\?[\0\r\x1a]|\\[\s\S]/g, (found) => escapeControl(found));
  return quoted;
}

/**
 * Throws for a name that clients would change. MySQL's client removes a backslash at the end of a line. For
 * old clients, a backquote after a backslash is a part of the name.
 */
function assertName(quoted: string): void {
  if (/\r\n|\0/.test(quoted)) throw new UnwritableSql('A name contains CR LF, which clients change.');
  if (!quoted.includes('\\')) return;
  const pairs = quoted.match(/\\[\s\S]/g) ?? [];
  if (pairs.some((pair) => pair === '\\\n' || pair === '\\`'))
    throw new UnwritableSql(
      'A name contains a backslash before a line break or backquote, which clients change.',
    );
}

function escapeControl(found: string): string {
  if (found.endsWith('\0')) return '\\0';
  if (found.endsWith('\r')) return '\\r';
  return found.endsWith('\x1a') ? '\\Z' : found;
}

function cleanCode(code: string): string {
  // Outside quotes and comments, servers accept no other control characters. They accept a backslash only in
  // \N, which MariaDB reads as NULL.
  if (/[\0-\x08\x0e-\x1f\x7f]|\\(?!N(?![\w$\u0080-\uffff]))/.test(code))
    throw new UnwritableSql('The text contains a character that clients interpret.');
  return code
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\r\v\f]/g, ' ')
    .replaceAll('\\N', 'NULL');
}

/**
 * The commands of both clients. With `--named-commands`, they apply at the start of every line. Even without
 * this option, `delimiter` consumes the line break after it.
 */
const COMMANDS = [
  '\\?',
  'charset',
  'clear',
  'connect',
  'costs',
  'edit',
  'ego',
  'exit',
  'go',
  'help',
  'nopager',
  'notee',
  'nowarning',
  'nowarnings',
  'pager',
  'print',
  'prompt',
  'query_attributes',
  'quit',
  'rehash',
  'resetconnection',
  'sandbox',
  'source',
  'ssl_session_data_print',
  'status',
  'system',
  'tee',
  'use',
  'warnings',
];
const COMMAND_LINE = new RegExp(`[ \\t\\n]*(?:delimiter|(?:${COMMANDS.join('|')})(?![\\w$]))`, 'iy');

/**
 * Replaces the line break before a command of a client with a space. Line breaks inside quotes are not
 * changed, because clients ignore them.
 */
function joinCommandLines(sql: string): string {
  let joined = '';
  let done = 0;
  for (let position = 0; position < sql.length; position += 1) {
    const unit = sql.charCodeAt(position);
    if (unit === 0x27 || unit === 0x22 || unit === 0x60) {
      const end = skipQuoted(sql, position);
      if (end === -1) throw new UnwritableSql('A quote is not closed.');
      position = end - 1;
    } else if (unit === 0x0a && isBeforeCommand(sql, position)) {
      let next = position;
      while (isSpaceUnit(sql.charCodeAt(next))) next += 1;
      joined += `${sql.slice(done, position)} `;
      done = next;
      position = next - 1;
    }
  }
  return joined + sql.slice(done);
}

function isBeforeCommand(sql: string, position: number): boolean {
  COMMAND_LINE.lastIndex = position;
  return COMMAND_LINE.test(sql);
}
