import { doSteps, type Steps } from '@rowhouse/schema-model';
import { commentOpeningAt, isSpaceUnit, skipComment, skipQuoted } from '../lexer/scan-text.js';
import { schemaFault } from '../lexer/sql-fault.js';
import type { SplitOptions } from '../types.js';

interface ExecutableComment {
  /** The offset at which the text inside the comment begins. */
  readonly bodyStart: number;
  readonly isRun: boolean;
}

const VERSION = /[0-9]{5,6}/y;

/**
 * Returns the text as the server would execute it: comments become white space, and executable comments are
 * unwrapped. The length and the line breaks do not change, so offsets and line numbers remain valid.
 * DELIMITER lines do not change either.
 */
export function stripComments(text: string, options: SplitOptions): string {
  return doSteps(stripCommentsSteps(text, options));
}

/** The number of characters that are processed in each step. */
export const STEP_CHARACTERS = 32 * 1024;

/** Removes the comments from a text in steps (see `stripComments`). */
export function* stripCommentsSteps(text: string, options: SplitOptions): Steps<string> {
  let pauseAt = STEP_CHARACTERS;
  const parts: string[] = [];
  let retainedCount = 0;
  let offset = 0;
  let isInExecutable = false;
  const start = new StatementStart();
  const blankTo = (end: number): void => {
    parts.push(text.slice(retainedCount, offset), blank(text.slice(offset, end)));
    retainedCount = end;
    offset = end;
  };
  while (offset < text.length) {
    if (offset >= pauseAt) {
      pauseAt = offset + STEP_CHARACTERS;
      yield;
    }
    const unit = text.charCodeAt(offset);
    if (isInExecutable && unit === 0x2a && text.charCodeAt(offset + 1) === 0x2f) {
      isInExecutable = false;
      blankTo(offset + 2);
      continue;
    }
    if (unit === 0x27 || unit === 0x22 || unit === 0x60) {
      offset = skipOrFail(text, offset, skipQuoted(text, offset), 'A quote is not closed.');
      start.leave();
      continue;
    }
    const opening =
      commentOpeningAt(text, offset) ?? (start.isHere() && text.startsWith('--', offset) ? 'line' : null);
    if (opening === null) {
      offset = start.pass(text, offset);
      continue;
    }
    if (opening === 'executable' || opening === 'mariadb_executable') {
      if (isInExecutable) throw schemaFault('Executable comments cannot be nested.', text, offset);
      const comment = readExecutableComment(text, offset, options);
      skipOrFail(text, offset, skipComment(text, offset, opening), 'A comment is not closed.');
      if (comment.isRun) {
        isInExecutable = true;
        start.leave();
        blankTo(comment.bodyStart);
        continue;
      }
    }
    blankTo(skipOrFail(text, offset, skipComment(text, offset, opening), 'A comment is not closed.'));
  }
  if (isInExecutable) throw schemaFault('A comment is not closed.', text, text.length);
  parts.push(text.slice(retainedCount));
  return parts.join('');
}

/**
 * Tracks whether a statement begins at an offset. At the start of a statement, the standard clients treat two
 * dashes as a comment whatever follows, for example a line of dashes.
 */
class StatementStart {
  private delimiter = ';';
  private isAtStart = true;

  isHere(): boolean {
    return this.isAtStart;
  }

  leave(): void {
    this.isAtStart = false;
  }

  /** Moves past the character, delimiter or DELIMITER line at `offset`. Returns the offset after it. */
  pass(text: string, offset: number): number {
    if (isDelimiterLine(text, offset)) {
      const end = endOfLine(text, offset);
      this.delimiter =
        text
          .slice(offset + 9, end)
          .trim()
          .split(/\s+/)[0] || this.delimiter;
      this.isAtStart = true;
      return end;
    }
    if (text.startsWith(this.delimiter, offset)) {
      this.isAtStart = true;
      return offset + this.delimiter.length;
    }
    if (!isSpaceUnit(text.charCodeAt(offset))) this.isAtStart = false;
    return offset + 1;
  }
}

function skipOrFail(text: string, offset: number, end: number, fault: string): number {
  if (end === -1) throw schemaFault(fault, text, offset);
  return end;
}

/**
 * Reports whether a DELIMITER line begins here. Only white space may precede it on its line. It must be
 * recognized before comments, because the `#` in `DELIMITER #` would otherwise begin a comment.
 */
export function isDelimiterLine(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  if (unit !== 0x44 && unit !== 0x64) return false;
  if (text.slice(offset, offset + 9).toUpperCase() !== 'DELIMITER') return false;
  if (!isSpaceUnit(text.charCodeAt(offset + 9))) return false;
  let before = offset - 1;
  while (text.charAt(before) === ' ' || text.charAt(before) === '\t') before -= 1;
  return before < 0 || text.charAt(before) === '\n';
}

export function endOfLine(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset);
  return lineFeed === -1 ? text.length : lineFeed;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/**
 * Reports whether the server executes the comment `/*!` or `/*M!` at `offset`, and where the text inside it
 * begins. The digits in it are the lowest server version that executes it. MariaDB skips the versions 50700
 * to 99999, which are later versions of MySQL. MySQL treats `/*M!` as a plain comment.
 */
function readExecutableComment(text: string, offset: number, options: SplitOptions): ExecutableComment {
  const isMariadbOnly = text.charAt(offset + 2) !== '!';
  const afterBang = offset + (isMariadbOnly ? 4 : 3);
  VERSION.lastIndex = afterBang;
  const digits = VERSION.exec(text)?.[0];
  const bodyStart = afterBang + (digits?.length ?? 0);
  if (isMariadbOnly && options.engine !== 'mariadb') return { bodyStart, isRun: false };
  if (digits === undefined) return { bodyStart, isRun: true };
  const requestCount = Number(digits);
  if (options.engine === 'mariadb' && !isMariadbOnly && requestCount >= 50700 && requestCount <= 99999)
    return { bodyStart, isRun: false };
  return { bodyStart, isRun: requestCount <= toVersionNumber(options.version) };
}

/**
 * Converts a server version to a number: `10.11.19-MariaDB` becomes 101119 and `8.0.36` becomes 80036. A text
 * without a version becomes 0, so that no comment with a version is executed.
 */
function toVersionNumber(version: string): number {
  const parts = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  if (parts === null) return 0;
  return Number(parts[1]) * 10_000 + Number(parts[2]) * 100 + Number(parts[3] ?? 0);
}
