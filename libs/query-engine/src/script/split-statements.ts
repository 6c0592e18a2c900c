import { doSteps, type Steps } from '@rowhouse/schema-model';
import {
  countUtf8Bytes,
  findLoneSurrogate,
  isNameUnit,
  isSpaceUnit,
  skipQuoted,
} from '../lexer/scan-text.js';
import { schemaFault, schemaTooLarge } from '../lexer/sql-fault.js';
import type { SplitOptions, SqlStatement } from '../types.js';
import { BlockTracker } from './block-tracker.js';
import { endOfLine, isDelimiterLine, STEP_CHARACTERS, stripCommentsSteps } from './strip-comments.js';

export const SCHEMA_BYTES_MAX = 1024 * 1024;

const SCHEMA_STATEMENTS_MAX = 2000;

/**
 * Splits schema text and dumps into statements. It obeys DELIMITER lines, unwraps the executable comments
 * that the server would execute, and removes all other comments. A `;` inside BEGIN … END of a routine or
 * trigger does not end the statement, so such statements do not need DELIMITER.
 *
 * @throws AppError 422 `schema.invalid_sql` (unclosed quote or comment, NUL, invalid Unicode) or 422
 *   `schema.too_large`
 */
export function splitStatements(text: string, options: SplitOptions): SqlStatement[] {
  return doSteps(splitStatementsSteps(text, options));
}

/** Splits schema text into statements in steps. A text of one megabyte takes 100 ms in total. */
export function* splitStatementsSteps(text: string, options: SplitOptions): Steps<SqlStatement[]> {
  checkText(text);
  yield;
  const clean = yield* stripCommentsSteps(text, options);
  let pauseAt = STEP_CHARACTERS;
  const statements: SqlStatement[] = [];
  const lines = new LineCounter(clean);
  let delimiter = ';';
  let start = 0;
  let offset = 0;
  let blocks = new BlockTracker();
  const end = (stop: number): void => {
    const statement = cutStatement(clean, start, stop, lines);
    if (statement !== null) statements.push(statement);
    if (statements.length > SCHEMA_STATEMENTS_MAX) {
      throw schemaTooLarge(`The text has more than ${SCHEMA_STATEMENTS_MAX} statements.`);
    }
    blocks = new BlockTracker();
  };
  while (offset < clean.length) {
    if (offset >= pauseAt) {
      pauseAt = offset + STEP_CHARACTERS;
      yield;
    }
    if (isDelimiterLine(clean, offset)) {
      end(offset);
      const stop = endOfLine(clean, offset);
      delimiter = readDelimiter(clean, offset, stop);
      offset = stop;
      start = stop;
    } else if (clean.startsWith(delimiter, offset) && !(delimiter === ';' && blocks.isInside())) {
      end(offset);
      offset += delimiter.length;
      start = offset;
    } else offset = skipUnit(clean, offset, delimiter, blocks);
  }
  end(clean.length);
  return statements;
}

function checkText(text: string): void {
  if (text.length > SCHEMA_BYTES_MAX || countUtf8Bytes(text) > SCHEMA_BYTES_MAX) {
    throw schemaTooLarge(`The text is longer than ${SCHEMA_BYTES_MAX} bytes.`);
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) throw schemaFault('The text contains a NUL character.', text, nul);
  const half = findLoneSurrogate(text);
  if (half !== -1) throw schemaFault('The text is not valid Unicode.', text, half);
}

/** Reads the delimiter after the word DELIMITER, in the same way as the `mysql` client. */
function readDelimiter(text: string, offset: number, stop: number): string {
  const delimiter =
    text
      .slice(offset + 9, stop)
      .trim()
      .split(/\s+/)[0] ?? '';
  if (delimiter === '') throw schemaFault('DELIMITER has no value.', text, offset);
  if (delimiter.includes('\\')) throw schemaFault('A delimiter must not contain a backslash.', text, offset);
  return delimiter;
}

/**
 * Returns the offset after the next string, comment, word or character. Words and punctuation are passed to
 * `blocks`.
 */
function skipUnit(text: string, offset: number, delimiter: string, blocks: BlockTracker): number {
  const unit = text.charCodeAt(offset);
  if (unit === 0x27 || unit === 0x22 || unit === 0x60) {
    const end = skipQuoted(text, offset);
    if (end === -1) throw schemaFault('A quote is not closed.', text, offset);
    blocks.take(unit === 0x60 ? 'name' : 'text', '');
    return end;
  }
  if (isSpaceUnit(unit)) return offset + 1;
  if (!isNameUnit(unit)) {
    blocks.take('mark', text.charAt(offset));
    return offset + 1;
  }
  // `$` can be part of a word, but in `END$$` the word ends before the delimiter `$$`.
  let end = offset + 1;
  while (isNameUnit(text.charCodeAt(end)) && !text.startsWith(delimiter, end)) end += 1;
  blocks.take('word', text.slice(offset, end).toUpperCase());
  return end;
}

function cutStatement(text: string, start: number, stop: number, lines: LineCounter): SqlStatement | null {
  const raw = text.slice(start, stop);
  const trimmedStart = start + (raw.length - raw.trimStart().length);
  const sql = raw.trim();
  if (sql === '') return null;
  return { sql, line: lines.lineAt(trimmedStart), lineEnd: lines.lineAt(trimmedStart + sql.length - 1) };
}

/**
 * Converts offsets to line numbers. The offsets must be increasing, so that the text is scanned only once.
 */
class LineCounter {
  private line = 1;
  private counted = 0;

  constructor(private readonly text: string) {}

  lineAt(offset: number): number {
    for (; this.counted < offset; this.counted += 1) {
      if (this.text.charCodeAt(this.counted) === 0x0a) this.line += 1;
    }
    return this.line;
  }
}
