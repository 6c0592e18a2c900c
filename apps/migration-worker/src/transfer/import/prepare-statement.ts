import type { WorkerServer } from '@rowhouse/platform-store';
import {
  classifyDdl,
  findObjectDatabase,
  lexSql,
  SCHEMA_BOUNDS,
  splitStatements,
  withoutDatabase,
  type RawStatement,
  type SqlToken,
} from '@rowhouse/query-engine';
import { isFileSetting } from '@rowhouse/sql-files';
import { decodeText, toDumpCharset, type DumpCharset } from './dump-bytes.js';
import type { DumpDatabase } from './dump-database.js';
import { findComputedRejection, findHarmlessFault } from './other-statements.js';
import type { ImportReport } from './import-report.js';

/** The action of an import for a statement of the dump. */
export type Prepared =
  | { readonly kind: 'ddl'; readonly sql: string; readonly line: number; readonly name: string }
  /** Sets the character set of later statements, either by `SET NAMES` or by the client's character set. */
  | { readonly kind: 'charset'; readonly charset: DumpCharset; readonly isNames: boolean }
  /** Returns to the character set of `SET NAMES`. */
  | { readonly kind: 'charset'; readonly charset: null }
  /**
   * Whether 0 stays 0 in an AUTO_INCREMENT column (NO_AUTO_VALUE_ON_ZERO). Otherwise the row takes the next
   * number.
   */
  | { readonly kind: 'mode'; readonly keepsZero: boolean }
  /** The default options of tables in a database. */
  | {
      readonly kind: 'defaults';
      readonly database: string | null;
      readonly options: string;
      readonly line: number;
    }
  /** Statements with texts in an unsupported character set. */
  | { readonly kind: 'unread'; readonly charset: string; readonly line: number };

/** The state of the reader after the previous statements. */
export interface DumpState {
  readonly server: Pick<WorkerServer, 'engine' | 'engineVersion'>;
  readonly charset: DumpCharset;
  readonly database: DumpDatabase;
}

const DDL_CHARS_MAX = 1_048_576;
/** Matches settings of the whole server, accounts and passwords. */
const GLOBAL_SET =
  /^SET\s+(GLOBAL|PERSIST|PERSIST_ONLY|PASSWORD|ROLE|DEFAULT)\b|@@(GLOBAL|PERSIST|PERSIST_ONLY)\b/i;
const USE = /^USE\s+(?:`((?:[^`]|``)+)`|([\w$]+))$/i;
const NAMES = /^SET\s+(?:NAMES|CHARACTER\s+SET)\s+['"]?([\w]+)/i;
const SQL_MODE = /(?:[\s,]|@@(?:session\.)?)sql_mode\s*:?=\s*([^]*)$/i;
const CLIENT_CHARSET =
  /^SET\s+(?:SESSION\s+|LOCAL\s+|@@(?:session\.)?)?character_set_client\s*=\s*['"]?(@?[\w]+)/i;
const CHANGED =
  /^(?:UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+(?:LOW_PRIORITY\s+|IGNORE\s+)*(?:`((?:[^`]|``)+)`|([\w$]+))/i;
const OBJECT =
  /\b(TABLE|VIEW|TRIGGER|PROCEDURE|FUNCTION|EVENT|USER|INDEX|SEQUENCE|DATABASE|SCHEMA|ROLE|SERVER|PLUGIN)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:`((?:[^`]|``)+)`|'([^']+)'|([\w$]+))/i;

/** Parses one statement of a dump, except INSERT. Omitted parts are reported by line and name. */
export function prepareStatement(
  raw: RawStatement,
  { server, charset, database }: DumpState,
  report: ImportReport,
): Prepared[] {
  const text = decodeText(raw.text, charset);
  if (text === null) {
    report.problem(raw.line, '', `The statement is not in the character set of the dump (${charset}).`);
    return [];
  }
  if (raw.isCut || text.length > DDL_CHARS_MAX) {
    report.problem(raw.line, findObject(text), 'The statement is too long.');
    return [];
  }
  // The statement is passed with its own delimiter, so that a `;` in its body does not split it.
  const isPlain = raw.delimiter === ';';
  try {
    const statements = splitStatements(isPlain ? text : `DELIMITER ${raw.delimiter}\n${text}`, {
      engine: server.engine,
      version: server.engineVersion,
    });
    return statements.flatMap((statement) =>
      readStatement({ ...statement, line: statement.line + raw.line - (isPlain ? 1 : 2) }, database, report),
    );
  } catch (error) {
    report.problem(
      raw.line,
      findObject(text),
      error instanceof Error ? error.message : 'The statement is not valid SQL.',
    );
    return [];
  }
}

type Statement = ReturnType<typeof splitStatements>[number];

function readStatement(statement: Statement, database: DumpDatabase, report: ImportReport): Prepared[] {
  const { sql, line } = statement;
  const use = USE.exec(sql);
  if (use !== null) {
    database.enter((use[1] ?? use[2] ?? '').replaceAll('``', '`'));
    return [];
  }
  if (/^SET\b/i.test(sql)) return [...readMode(sql), ...readSet(sql, line, report)];
  const defaults = readDefaults(sql, line);
  if (defaults !== null) return [defaults];
  const harmless = findHarmlessFault(sql);
  if (harmless !== null) {
    if (harmless !== '') report.count(harmless);
    return [];
  }
  return readDdl(statement, database, report);
}

const MADE_DATABASE =
  /^(?:CREATE|ALTER)\s+(?:DATABASE|SCHEMA)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:`((?:[^`]|``)+)`|([\w$]+))?/i;
const DATABASE_OPTION = /\b(CHARACTER\s+SET|CHARSET|COLLATE)\s*=?\s*['"`]?(\w+)/gi;

/** Parses CREATE or ALTER DATABASE. Returns null for a statement that sets no default options of tables. */
function readDefaults(sql: string, line: number): Prepared | null {
  const created = MADE_DATABASE.exec(sql);
  if (created === null) return null;
  const options = [...sql.slice(created[0].length).matchAll(DATABASE_OPTION)].map(
    ([, option = '', value = '']) => `${/^COLL/i.test(option) ? 'COLLATE' : 'CHARACTER SET'} ${value}`,
  );
  return options.length === 0
    ? null
    : { kind: 'defaults', database: created[1] ?? created[2] ?? null, options: options.join(' '), line };
}

function readDdl(statement: Statement, database: DumpDatabase, report: ImportReport): Prepared[] {
  const { line } = statement;
  const named = findObjectDatabase(statement.sql);
  if (named !== null && !database.adopt(named)) {
    report.skipOther(line, named);
    return [];
  }
  const sql = database.name === null ? statement.sql : withoutDatabase(statement.sql, database.name);
  const other = named === null ? database.findOther() : null;
  const classified = classifyDdl(takeEngine({ ...statement, sql }, report));
  if (classified.kind === 'allowed' && other !== null) {
    report.skipOther(line, other);
  } else if (classified.kind === 'allowed') {
    if (/\bDEFINER\s*=/i.test(sql))
      report.count('DEFINER was omitted, because created objects belong to this database.');
    return [{ kind: 'ddl', sql: classified.sql, line: classified.line, name: classified.name }];
  } else if (classified.kind === 'ignored') report.count(classified.note);
  else
    report.problem(
      classified.line,
      findObject(sql),
      findComputedRejection(sql) ??
        [classified.detail, classified.hint].filter((part) => part !== undefined).join(' '),
    );
  return [];
}

/**
 * Reads a statement that sets sql_mode. Only one flag of the mode is important for rows. If the dump restores
 * a mode that it saved earlier, that mode is the server's default.
 */
function readMode(sql: string): Prepared[] {
  const mode = SQL_MODE.exec(sql)?.[1];
  return mode === undefined ? [] : [{ kind: 'mode', keepsZero: /NO_AUTO_VALUE_ON_ZERO/i.test(mode) }];
}

function readSet(sql: string, line: number, report: ImportReport): Prepared[] {
  const names = NAMES.exec(sql);
  const client = CLIENT_CHARSET.exec(sql)?.[1] ?? '';
  if (client.startsWith('@')) return [{ kind: 'charset', charset: null }];
  const name = names?.[1] ?? client;
  const charset = toDumpCharset(name);
  if (name.toLowerCase() === 'default') return [];
  if (charset !== undefined) return [{ kind: 'charset', charset, isNames: names !== null }];
  if (name !== '') return [{ kind: 'unread', charset: name, line }];
  if (GLOBAL_SET.test(sql)) report.problem(line, '', 'Settings of the server or of an account were omitted.');
  // Exports of this platform contain these settings, so they are not reported.
  else if (!isFileSetting(sql))
    report.count('SET was omitted, because the platform sets its own session variables.');
  return [];
}

/** Replaces other engines, also those of partitions, with InnoDB. */
function takeEngine(statement: Statement, report: ImportReport): Statement {
  if (!/^CREATE\s+(TEMPORARY\s+)?TABLE\b/i.test(statement.sql)) return statement;
  const named = findEngines(statement.sql);
  for (const { engine } of named) report.count(`Tables with the engine ${engine} were converted to InnoDB.`);
  return {
    ...statement,
    sql: named.reduceRight(
      (sql, { start, end }) => `${sql.slice(0, start)}ENGINE=InnoDB${sql.slice(end)}`,
      statement.sql,
    ),
  };
}

interface NamedEngine {
  readonly engine: string;
  /** The position of `ENGINE = MyISAM` in the statement. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the engines except InnoDB that a CREATE TABLE names in its options and partitions. Returns an empty
 * list for a text that cannot be parsed.
 */
function findEngines(sql: string): NamedEngine[] {
  const found: NamedEngine[] = [];
  let depth = 0;
  let isBehindColumns = false;
  let isInPartitions = false;
  const tokens = readTokens(sql);
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'operator') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    isBehindColumns ||= token.text === ')' && depth === 0;
    if (token.kind !== 'word' || !isBehindColumns) continue;
    if (depth === 0 && token.value === 'PARTITION') isInPartitions = true;
    const hasEquals = tokens[index + 1]?.text === '=';
    const isOption =
      (depth === 0 || isInPartitions) && (token.value === 'ENGINE' || (token.value === 'TYPE' && hasEquals));
    const name = isOption ? tokens[index + (hasEquals ? 2 : 1)] : undefined;
    const engine = name?.kind === 'word' ? name.text : (name?.value ?? '');
    if (name !== undefined && engine.toLowerCase() !== 'innodb')
      found.push({ engine, start: token.start, end: name.end });
  }
  return found;
}

function readTokens(sql: string): SqlToken[] {
  try {
    return lexSql(sql, SCHEMA_BOUNDS).filter((token) => token.kind !== 'comment');
  } catch {
    // The error is reported when the statement is classified later.
    return [];
  }
}

/** Returns only the object's name, since a statement may contain a password. */
function findObject(sql: string): string {
  const changed = CHANGED.exec(sql);
  if (changed !== null) return (changed[1] ?? changed[2] ?? '').slice(0, 64);
  const match = OBJECT.exec(sql.slice(0, 2_000));
  return (match?.[2] ?? match?.[3] ?? match?.[4] ?? '').slice(0, 64);
}
