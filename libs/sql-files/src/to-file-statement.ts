import { AppError } from '@rowhouse/errors';
import { classifyDdl, splitStatements, type CommentOpening } from '@rowhouse/query-engine';
import type { EngineKind } from '@rowhouse/schema-model';
import { neutralize, UnwritableSql } from './neutralize.js';

export type FileStatement =
  | { readonly kind: 'written'; readonly sql: string; readonly hasComments: boolean }
  | { readonly kind: 'left_out'; readonly reason: string };

/** A version at which a server runs every versioned comment that it writes. */
const NEWEST = '99.99.99';
const TABLE = /^(?:CREATE|ALTER)\s+TABLE\b/i;
/** Settings that plans contain besides DDL. */
const CHECKS =
  /^SET\s+(?:SESSION\s+)?(?:foreign_key_checks|check_constraint_checks|unique_checks)\s*=\s*[01]$/i;

/**
 * Returns a statement of a schema or plan in the form for a file, without DEFINER. A statement is left out if
 * it names another database, a file or another server, or if no form is safe for every client.
 *
 * @param engine the engine that wrote the statement; null when unknown
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
 * Returns whether the server itself writes such a comment. SHOW CREATE TABLE contains versioned comments:
 * partitions and invisible columns (MySQL), compression (MariaDB).
 */
function isOwn(opening: CommentOpening, engine: EngineKind | null): boolean {
  return opening === 'executable' || (opening === 'mariadb_executable' && engine !== 'mysql');
}

/**
 * Throws for a statement that an import would reject because it affects more than the database. The file may
 * be loaded by either engine.
 */
function assertOwn(sql: string): string {
  const engines: readonly EngineKind[] = sql.includes('/*') ? ['mariadb', 'mysql'] : ['mariadb'];
  let written = sql;
  for (const engine of engines) {
    const statements = splitStatements(`DELIMITER ${chooseUnused(sql)}\n${sql}`, { engine, version: NEWEST });
    const [only] = statements;
    if (only === undefined || statements.length > 1) throw new UnwritableSql('It is not one statement.');
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
