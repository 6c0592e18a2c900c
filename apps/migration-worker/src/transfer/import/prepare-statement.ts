import type { WorkerServer } from '@rowhouse/platform-store';
import { classifyDdl, splitStatements, type RawStatement } from '@rowhouse/query-engine';
import { decodeText, toDumpCharset, type DumpCharset } from './dump-bytes.js';
import type { ImportReport } from './import-report.js';

/** What a dump's statement is to an import. */
export type Prepared =
  | { readonly kind: 'ddl'; readonly sql: string; readonly line: number; readonly name: string }
  | { readonly kind: 'charset'; readonly charset: DumpCharset }
  | { readonly kind: 'database'; readonly name: string; readonly line: number };

const DDL_CHARS_MAX = 1_048_576;
/** Settings of the whole server, accounts, passwords. */
const GLOBAL_SET = /^SET\s+(GLOBAL|PERSIST|PERSIST_ONLY|PASSWORD|ROLE|DEFAULT)\b|@@(GLOBAL|PERSIST|PERSIST_ONLY)\b/i;
const USE = /^USE\s+(?:`((?:[^`]|``)+)`|([\w$]+))$/i;
const NAMES = /^SET\s+NAMES\s+'?([\w]+)'?/i;
const OBJECT = /\b(TABLE|VIEW|TRIGGER|PROCEDURE|FUNCTION|EVENT|USER|INDEX|SEQUENCE|DATABASE|SCHEMA|ROLE|SERVER|PLUGIN)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:`((?:[^`]|``)+)`|'([^']+)'|([\w$]+))/i;
const OTHER_ENGINE = /\b(?:TYPE|ENGINE)\s*=\s*(?!InnoDB\b)(\w+)/gi;

/** Reads one statement of a dump that is no INSERT. What is not taken stands in the report, by line and name. */
export function prepareStatement(raw: RawStatement, server: Pick<WorkerServer, 'engine' | 'engineVersion'>, charset: DumpCharset, report: ImportReport): Prepared[] {
  const text = decodeText(raw.text, charset);
  if (text === null) {
    report.problem(raw.line, '', `The statement is not in the character set of the dump (${charset}).`);
    return [];
  }
  if (raw.isCut || text.length > DDL_CHARS_MAX) {
    report.problem(raw.line, findObject(text), 'The statement is longer than is taken.');
    return [];
  }
  // The statement alone, with its own delimiter out of the way of what it holds.
  const isPlain = raw.delimiter === ';';
  try {
    const statements = splitStatements(isPlain ? text : `DELIMITER ${raw.delimiter}\n${text}`, { engine: server.engine, version: server.engineVersion });
    return statements.flatMap((statement) => readStatement({ ...statement, line: statement.line + raw.line - (isPlain ? 1 : 2) }, report));
  } catch (error) {
    report.problem(raw.line, findObject(text), error instanceof Error ? error.message : 'The statement cannot be read.');
    return [];
  }
}

function readStatement(statement: { sql: string; line: number; lineEnd: number }, report: ImportReport): Prepared[] {
  const { sql, line } = statement;
  const use = USE.exec(sql);
  if (use !== null) return [{ kind: 'database', name: (use[1] ?? use[2] ?? '').replaceAll('``', '`'), line }];
  if (/^SET\b/i.test(sql)) return readSet(sql, line, report);
  const classified = classifyDdl(takeEngine(statement, report));
  if (classified.kind === 'allowed') {
    if (/\bDEFINER\s*=/i.test(sql)) report.count('DEFINER was left out: what is made belongs to this database.');
    return [{ kind: 'ddl', sql: classified.sql, line: classified.line, name: classified.name }];
  }
  if (classified.kind === 'ignored') report.count(classified.note);
  else report.problem(classified.line, findObject(sql), classified.detail);
  return [];
}

function readSet(sql: string, line: number, report: ImportReport): Prepared[] {
  const names = NAMES.exec(sql);
  const charset = names === null ? undefined : toDumpCharset(names[1] ?? '');
  if (charset !== undefined) return [{ kind: 'charset', charset }];
  if (names !== null) report.problem(line, names[1] ?? '', 'Texts of this character set are not read: dump with --default-character-set=utf8mb4.');
  else if (GLOBAL_SET.test(sql)) report.problem(line, '', 'A setting of the whole server or of an account is not taken.');
  else report.count('SET was left out: the platform sets its own session.');
  return [];
}

/** Tables of other engines become InnoDB. Texts and comments of the statement keep what they say. */
function takeEngine(statement: { sql: string; line: number; lineEnd: number }, report: ImportReport): { sql: string; line: number; lineEnd: number } {
  if (!/^CREATE\s+(TEMPORARY\s+)?TABLE\b/i.test(statement.sql)) return statement;
  const close = statement.sql.lastIndexOf(')');
  const options = statement.sql.slice(close + 1).replaceAll(OTHER_ENGINE, (_match, engine: string) => {
    report.count(`Tables of the engine ${engine} became InnoDB.`);
    return 'ENGINE=InnoDB';
  });
  return { ...statement, sql: statement.sql.slice(0, close + 1) + options };
}

/** Never more of a statement than the name of what it is about: it may hold a password. */
function findObject(sql: string): string {
  const match = OBJECT.exec(sql.slice(0, 2_000));
  return (match?.[2] ?? match?.[3] ?? match?.[4] ?? '').slice(0, 64);
}
