import { AppError } from '@rowhouse/errors';
import {
  classifyDdl,
  type CommentOpening,
  createStatementReader,
  splitStatements,
} from '@rowhouse/query-engine';
import type { EngineKind } from '@rowhouse/schema-model';
import { neutralize, UnwritableSql } from './neutralize.js';

const STATEMENT_CHARS_MAX = 4 * 1024 * 1024;

const MARKS = [';;', '//', '$$', '@@', '||'];

const ESCAPES: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\0': '\\0', '\x1a': '\\Z' };

export type FileStatement =
  | { readonly kind: 'written'; readonly sql: string; readonly hasComments: boolean }
  | { readonly kind: 'left_out'; readonly reason: string };

/**
 * The server version with which statements are parsed. A server of this version would run every versioned
 * comment that a server writes.
 */
const NEWEST = '99.99.99';
const TABLE = /^(?:CREATE|ALTER)\s+TABLE\b/i;
/** Matches settings in plans, which are statements other than DDL. */
const CHECKS =
  /^SET\s+(?:SESSION\s+)?(?:foreign_key_checks|check_constraint_checks|unique_checks)\s*=\s*[01]$/i;

/**
 * Returns a statement of a schema or plan in the form for a file, without DEFINER. The statement is omitted
 * if it names another database, a file or another server, or if it has no form that is safe for every client.
 *
 * @param engine the engine that wrote the statement; null if it is unknown
 */
export function toFileStatement(sql: string, engine: EngineKind | null): FileStatement {
  try {
    const neutral = neutralize(sql, (opening) => TABLE.test(sql) && isOwn(opening, engine));
    if (CHECKS.test(neutral.sql)) return { kind: 'written', ...neutral };
    return { kind: 'written', sql: assertOwn(neutral.sql), hasComments: neutral.hasComments };
  } catch (error) {
    if (error instanceof UnwritableSql) return { kind: 'left_out', reason: error.message };
    if (error instanceof AppError) return { kind: 'left_out', reason: error.detail };
    throw error;
  }
}

/**
 * Reports whether the server itself writes comments of this kind. SHOW CREATE TABLE contains versioned
 * comments, for partitions and invisible columns (MySQL) and for compression (MariaDB).
 */
function isOwn(opening: CommentOpening, engine: EngineKind | null): boolean {
  return opening === 'executable' || (opening === 'mariadb_executable' && engine !== 'mysql');
}

/**
 * Throws if an import would reject the statement because it affects more than the database. Users may load
 * the file on either engine.
 */
function assertOwn(sql: string): string {
  const engines: readonly EngineKind[] = sql.includes('/*') ? ['mariadb', 'mysql'] : ['mariadb'];
  let written = sql;
  for (const engine of engines) {
    const statements = splitStatements(`DELIMITER ${chooseUnused(sql)}\n${sql}`, { engine, version: NEWEST });
    const [only] = statements;
    if (only === undefined || statements.length > 1) throw new UnwritableSql('It is not a single statement.');
    const ddl = classifyDdl(only);
    if (ddl.kind === 'refused') throw new UnwritableSql(ddl.detail);
    if (ddl.kind === 'ignored') throw new UnwritableSql(ddl.note);
    if (only.sql === sql) written = ddl.sql;
  }
  return written;
}

function chooseUnused(sql: string): string {
  let mark = ';;';
  while (sql.includes(mark)) mark += ';';
  return mark;
}

/**
 * Escapes carriage returns, line feeds, NUL and Ctrl-Z in the values of a row. Without `--binary-mode`,
 * clients convert CR LF to LF and stop at NUL.
 *
 * @param values literals separated by commas, for a session without NO_BACKSLASH_ESCAPES
 */
export function escapeLineBreaks(values: string): string {
  if (!/[\r\n\0\x1a]/.test(values)) return values;
  return values.replaceAll(/\\[\s\S]|[\r\n\0\x1a]/g, (found) => ESCAPES[found.at(-1) ?? ''] ?? found);
}

/**
 * Returns a statement with the delimiter that ends it. If its body has several statements, it gets a
 * delimiter that the body does not contain.
 */
export function endStatement(statement: string): string {
  if (!/^CREATE\s+(?:OR\s+REPLACE\s+)?(?:AGGREGATE\s+)?(?:TRIGGER|PROCEDURE|FUNCTION)\b/i.test(statement))
    return `${statement};\n`;
  if (!statement.includes(';')) return `${statement};\n`;
  const mark = chooseMark(statement);
  return `DELIMITER ${mark}\n${statement} ${mark}\nDELIMITER ;\n`;
}

function chooseMark(statement: string): string {
  const found = MARKS.find((mark) => !statement.includes(mark));
  if (found !== undefined) return found;
  let length = 3;
  while (statement.includes(';'.repeat(length))) length += 1;
  return ';'.repeat(length);
}

/**
 * Splits a text into statements that end with `;`, as in plans. Bodies and versioned comments are not split.
 */
export function splitFileStatements(text: string): string[] {
  const reader = createStatementReader(STATEMENT_CHARS_MAX);
  return [...reader.push(text), ...reader.end()].map((statement) => statement.text);
}
