import { createStatementReader } from '@rowhouse/query-engine';

const STATEMENT_CHARS_MAX = 4 * 1024 * 1024;

/**
 * Splits a text of several statements, each ended by `;`, as plans contain them.
 * Bodies and versioned comments stay whole.
 */
export function splitFileStatements(text: string): string[] {
  const reader = createStatementReader(STATEMENT_CHARS_MAX);
  return [...reader.push(text), ...reader.end()].map((statement) => statement.text);
}
