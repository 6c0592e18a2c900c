import type { ServerFault } from '@rowhouse/mysql';
import { lexSql, SCHEMA_BOUNDS } from '@rowhouse/query-engine';
import type { EngineKind } from '@rowhouse/schema-model';

const UNKNOWN_COLLATION = 1273;

/**
 * Returns the statement with an unknown collation replaced by the nearest one of this engine. Returns
 * null for another error. Dumps of MySQL 8 contain `utf8mb4_0900_ai_ci`, those of new MariaDB
 * versions `utf8mb4_uca1400_ai_ci`.
 */
export function mapCollation(
  sql: string,
  fault: ServerFault,
  engine: EngineKind,
): { sql: string; from: string; to: string } | null {
  if (fault.errno !== UNKNOWN_COLLATION) return null;
  const from = /'([^']+)'/.exec(fault.message)?.[1];
  if (from === undefined) return null;
  const to = /_(bin|as_cs)$/.test(from)
    ? 'utf8mb4_bin'
    : engine === 'mysql' && /uca1400/.test(from)
      ? 'utf8mb4_0900_ai_ci'
      : 'utf8mb4_unicode_ci';
  const tokens = lexSql(sql, SCHEMA_BOUNDS).filter(
    (token) =>
      (token.kind === 'word' || token.kind === 'string' || token.kind === 'quoted') &&
      token.value.toLowerCase() === from.toLowerCase(),
  );
  if (tokens.length === 0) return null;
  let text = sql;
  for (const token of tokens.reverse()) text = text.slice(0, token.start) + to + text.slice(token.end);
  return { sql: text, from, to };
}
