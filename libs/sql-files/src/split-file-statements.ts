import { createStatementReader } from '@rowhouse/query-engine';

const STATEMENT_CHARS_MAX = 4 * 1024 * 1024;

/** Splits text of several statements, each ended by `;`, as plans hold them. Bodies stay whole; versioned comments stay. */
export function splitFileStatements(text: string): string[] {
  const reader = createStatementReader(STATEMENT_CHARS_MAX);
  return [...reader.push(text), ...reader.end()].map((statement) => statement.text);
}
