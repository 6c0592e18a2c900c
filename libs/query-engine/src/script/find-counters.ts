import type { Steps } from '@rowhouse/schema-model';
import { lexSql } from '../lexer/lex-sql.js';
import { SCHEMA_BOUNDS } from '../schema-ddl/classify-ddl.js';
import { splitStatementsSteps } from './split-statements.js';
import type { SplitOptions, SqlToken } from '../types.js';

/** The AUTO_INCREMENT option of a table in schema text. */
export interface CounterSetting {
  readonly table: string;
  /** The next value of the counter in decimal digits. It may exceed JavaScript's safe integers. */
  readonly next: string;
}

const SETS_COUNTER = /\bAUTO_INCREMENT\s*=?\s*\d/i;

/**
 * Reports whether a text may set AUTO_INCREMENT of a table. It is also true if the word occurs only inside
 * quotes.
 */
export function maySetCounter(sql: string): boolean {
  return SETS_COUNTER.test(sql);
}

/**
 * Returns the AUTO_INCREMENT options of all CREATE TABLE and ALTER TABLE statements in order. Each step reads
 * a part of the text. A malformed text has no options.
 */
export function* findCountersSteps(sql: string, options: SplitOptions): Steps<CounterSetting[]> {
  if (!maySetCounter(sql)) return [];
  try {
    const counters: CounterSetting[] = [];
    for (const statement of yield* splitStatementsSteps(sql, options)) {
      if (!maySetCounter(statement.sql)) continue;
      counters.push(...readStatement(statement.sql));
      yield;
    }
    return counters;
  } catch {
    return [];
  }
}

function readStatement(sql: string): CounterSetting[] {
  const tokens = lexSql(sql, SCHEMA_BOUNDS).filter((token) => token.kind !== 'comment');
  const words = tokens.map((token) => (token.kind === 'word' ? token.value : token.text));
  const tableAt = words.indexOf('TABLE');
  if ((words[0] !== 'ALTER' && words[0] !== 'CREATE') || tableAt < 0 || tableAt > 4) return [];
  let nameAt = tableAt + 1;
  while (words[nameAt] === 'IF' || words[nameAt] === 'NOT' || words[nameAt] === 'EXISTS') nameAt += 1;
  if (words[nameAt + 1] === '.') nameAt += 2;
  const name = tokens[nameAt];
  if (name === undefined) return [];
  const table = name.kind === 'quoted' ? name.value : name.text;
  return listNumbers(tokens, words, nameAt + 1).map((next) => ({ table, next }));
}

/**
 * Returns the numbers of AUTO_INCREMENT options. A table option is outside all parentheses and followed by a
 * number. The column attribute has no number.
 */
function listNumbers(tokens: readonly SqlToken[], words: readonly string[], from: number): string[] {
  const numbers: string[] = [];
  let depth = 0;
  for (let position = from; position < tokens.length; position += 1) {
    if (words[position] === '(') depth += 1;
    if (words[position] === ')') depth -= 1;
    if (depth > 0 || words[position] !== 'AUTO_INCREMENT') continue;
    const number = words[position + 1] === '=' ? words[position + 2] : words[position + 1];
    if (number !== undefined && /^\d{1,20}$/.test(number)) numbers.push(number);
  }
  return numbers;
}
