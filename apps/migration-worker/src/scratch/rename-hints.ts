import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RenameHint } from '@rowhouse/ddl-plan';
import { lexSql, SCHEMA_BOUNDS, splitStatementsSteps, type SqlToken } from '@rowhouse/query-engine';
import type { WorkerServer } from '@rowhouse/platform-store';
import { doStepsInTurns } from '@rowhouse/schema-model';

/**
 * The renames that schema text asks for in so many words: RENAME TABLE, ALTER TABLE … RENAME [TO], RENAME COLUMN, CHANGE.
 * In the order in which they hold. Text that cannot be read gives none.
 */
export async function findRenames(sql: string, server: Pick<WorkerServer, 'engine' | 'engineVersion'>): Promise<RenameHint[]> {
  if (!MAY_RENAME.test(sql)) return [];
  try {
    const statements = await doStepsInTurns(splitStatementsSteps(sql, { engine: server.engine, version: server.engineVersion }), () => nextTurn());
    return statements.flatMap((statement) => readStatement(statement.sql));
  } catch {
    return [];
  }
}

const MAY_RENAME = /\b(rename|change)\b/i;

function readStatement(sql: string): RenameHint[] {
  if (!MAY_RENAME.test(sql)) return [];
  const tokens = lexSql(sql, SCHEMA_BOUNDS).filter((token) => token.kind !== 'comment');
  const words = tokens.map((token) => (token.kind === 'word' ? token.value : token.text));
  if (words[0] === 'RENAME' && words[1] === 'TABLE') return readRenameTable(tokens.slice(2));
  const at = words.indexOf('TABLE');
  if (words[0] !== 'ALTER' || at < 0 || at > 3) return [];
  return readAlter(tokens, words, words[at + 1] === 'IF' ? at + 3 : at + 1);
}

function readRenameTable(tokens: readonly SqlToken[]): RenameHint[] {
  const hints: RenameHint[] = [];
  for (let at = 0; at + 2 < tokens.length; at += 4) {
    const [from, middle, to] = [tokens[at], tokens[at + 1], tokens[at + 2]];
    if (from === undefined || to === undefined || middle?.value !== 'TO') return hints;
    hints.push({ kind: 'table', from: nameOf(from), to: nameOf(to) });
  }
  return hints;
}

function readAlter(tokens: readonly SqlToken[], words: readonly string[], tableAt: number): RenameHint[] {
  const tableToken = tokens[tableAt];
  if (tableToken === undefined) return [];
  const table = nameOf(tableToken);
  const hints: RenameHint[] = [];
  let depth = 0;
  for (let at = tableAt + 1; at < tokens.length; at += 1) {
    if (words[at] === '(') depth += 1;
    if (words[at] === ')') depth -= 1;
    // A clause starts behind the table or behind a comma outside parentheses.
    if (depth === 0 && (at === tableAt + 1 || words[at - 1] === ',')) hints.push(...readClause(tokens, words, at, table));
  }
  // Wherever the table's new name stands: its columns are renamed under the old one.
  return [...hints.filter((hint) => hint.kind === 'column'), ...hints.filter((hint) => hint.kind === 'table')];
}

function readClause(tokens: readonly SqlToken[], words: readonly string[], at: number, table: string): RenameHint[] {
  const name = (offset: number): string | null => {
    const token = tokens[at + offset];
    return token === undefined ? null : nameOf(token);
  };
  const column = (from: string | null, to: string | null): RenameHint[] => (from === null || to === null || from === to ? [] : [{ kind: 'column', table, from, to }]);
  if (words[at] === 'CHANGE') return words[at + 1] === 'COLUMN' ? column(name(2), name(3)) : column(name(1), name(2));
  if (words[at] !== 'RENAME') return [];
  if (words[at + 1] === 'COLUMN') return column(name(2), name(4));
  if (words[at + 1] === 'INDEX' || words[at + 1] === 'KEY') return [];
  const to = words[at + 1] === 'TO' || words[at + 1] === 'AS' ? name(2) : name(1);
  return to === null ? [] : [{ kind: 'table', from: table, to }];
}

function nameOf(token: SqlToken): string {
  return token.kind === 'quoted' ? token.value : token.text;
}
