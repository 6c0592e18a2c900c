import { AppError } from '@rowhouse/errors';
import { classifyDdl, splitStatements, type CommentOpening } from '@rowhouse/query-engine';
import type { EngineKind } from '@rowhouse/schema-model';
import { neutralize, UnwritableSql } from './neutralize.js';

export type FileStatement =
  | { readonly kind: 'written'; readonly sql: string; readonly hasComments: boolean }
  | { readonly kind: 'left_out'; readonly reason: string };

/** The server runs every versioned comment that it writes itself. */
const NEWEST = '99.99.99';
const TABLE = /^(?:CREATE|ALTER)\s+TABLE\b/i;
/** What plans hold besides DDL. */
const CHECKS = /^SET\s+(?:SESSION\s+)?(?:foreign_key_checks|check_constraint_checks|unique_checks)\s*=\s*[01]$/i;

/**
 * Returns a statement of a schema or plan as a file may hold it, without DEFINER. A statement that names another database,
 * a file or another server is left out, and so is one that no client would pass on unchanged.
 *
 * @param engine that the statement comes from; null where that is not known
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

/** SHOW CREATE TABLE has versioned comments of its own: partitions and invisible columns (MySQL), compression (MariaDB). */
function isOwn(opening: CommentOpening, engine: EngineKind | null): boolean {
  return opening === 'executable' || (opening === 'mariadb_executable' && engine !== 'mysql');
}

/** Throws for what an import would not take, which is what reaches beyond the database. Either engine may load the file. */
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
