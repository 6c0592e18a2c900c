import { BlockTracker } from './block-tracker.js';
import { isNameUnit, isSpaceUnit } from '../lexer/scan-text.js';

/**
 * A statement without its delimiter and without the comments before it. Executable comments are not
 * unwrapped.
 */
export interface RawStatement {
  readonly text: string;
  /** The line number of the first character, counted from 1. */
  readonly line: number;
  /** The delimiter that ended the statement. */
  readonly delimiter: string;
  /** Whether the statement exceeds the maximum length. `text` then contains only its beginning. */
  readonly isCut: boolean;
}

/** Splits a text of any length into statements as its parts arrive. It retains at most one statement. */
export interface StatementReader {
  push(part: string): RawStatement[];
  /**
   * Returns the remaining statements at the end of the text. A quote or comment that is still open ends here.
   */
  end(): RawStatement[];
}

type State = 'code' | 'quote' | 'line' | 'block';

const BEGINNING_CHARS = 200;
const WORD_CHARS_MAX = 256;
/** The number of characters that the reader must see to recognize a token. Only delimiters can be longer. */
const LOOKAHEAD_CHARS = 16;
/** The UTF-8 byte order mark, with one character for each byte. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/**
 * Creates a statement reader.
 * @param charsMax the maximum length of one statement; longer statements are skipped and marked as cut
 */
export function createStatementReader(charsMax: number): StatementReader {
  const scan = new StatementScan(charsMax);
  return { push: (part) => scan.push(part, false), end: () => scan.push('', true) };
}

class StatementScan {
  private buffer = '';
  private at = 0;
  /** The start of the current statement in the buffer. -1 between statements. */
  private start = -1;
  private startLine = 1;
  private state: State = 'code';
  private quote = 0;
  private delimiter = ';';
  private blocks = new BlockTracker();
  /** The beginning of a long statement that is being skipped. Null otherwise. */
  private beginning: string | null = null;
  private line = 1;
  private countedTo = 0;
  private isLineStart = true;
  private isEnded = false;
  private hasStarted = false;
  private found: RawStatement[] = [];

  constructor(private readonly charsMax: number) {}

  push(part: string, isEnd: boolean): RawStatement[] {
    this.buffer += part;
    if (!this.hasStarted && !this.takeByteOrderMark(isEnd)) return [];
    this.isEnded = isEnd;
    this.found = [];
    while (this.at < this.buffer.length && this.step());
    if (isEnd) this.finish(this.buffer.length, 0);
    this.compact();
    return this.found;
  }

  /** Skips a byte order mark at the start of the text. Returns false if more text is needed to detect it. */
  private takeByteOrderMark(isEnd: boolean): boolean {
    if (this.buffer.length < BYTE_ORDER_MARK.length && !isEnd) return false;
    this.hasStarted = true;
    if (this.buffer.startsWith(BYTE_ORDER_MARK)) this.buffer = this.buffer.slice(BYTE_ORDER_MARK.length);
    return true;
  }

  /** Processes the next part of the buffer. Returns false if more text is needed. */
  private step(): boolean {
    if (this.state === 'quote') return this.stepQuote();
    if (this.state === 'line') return this.skipTo('\n', 0);
    if (this.state === 'block') return this.skipTo('*/', 2);
    return this.stepCode();
  }

  private stepQuote(): boolean {
    const { buffer, quote } = this;
    let { at: position } = this;
    for (; position < buffer.length; position += 1) {
      const unit = buffer.charCodeAt(position);
      if (unit === 0x5c && quote !== 0x60) {
        if (position + 1 >= buffer.length && !this.isEnded) break;
        position += 1;
      } else if (unit === quote) {
        // A doubled quote is read as the end of one string and the start of another.
        this.at = position + 1;
        this.state = 'code';
        return true;
      }
    }
    this.at = Math.min(position, buffer.length);
    return false;
  }

  private skipTo(mark: string, length: number): boolean {
    const end = this.buffer.indexOf(mark, this.at);
    if (end === -1) {
      this.at = this.isEnded ? this.buffer.length : Math.max(this.at, this.buffer.length - length);
      return false;
    }
    this.at = end + length;
    this.state = 'code';
    return true;
  }

  private stepCode(): boolean {
    const unit = this.buffer.charCodeAt(this.at);
    if (unit === 0x0a) {
      this.at += 1;
      this.isLineStart = true;
      return true;
    }
    if (isSpaceUnit(unit)) {
      this.at += 1;
      return true;
    }
    if (
      !this.isEnded &&
      this.buffer.length - this.at < Math.max(LOOKAHEAD_CHARS, this.delimiter.length) &&
      this.needsMore(unit)
    )
      return false;
    if (
      this.isLineStart &&
      (unit === 0x44 || unit === 0x64) &&
      /^delimiter[ \t]/i.test(this.buffer.slice(this.at, this.at + 10))
    )
      return this.takeDelimiter();
    this.isLineStart = false;
    if (
      this.buffer.startsWith(this.delimiter, this.at) &&
      !(this.delimiter === ';' && this.blocks.isInside())
    ) {
      this.finish(this.at, this.delimiter.length);
      return true;
    }
    return this.openComment(unit) || this.takeUnit(unit);
  }

  /**
   * Reports whether a comment, a delimiter or the word DELIMITER may begin here, but more text is needed to
   * recognize it. A statement must be returned as early as possible, because it may change how the following
   * text is decoded.
   */
  private needsMore(unit: number): boolean {
    const remaining = this.buffer.length - this.at;
    const next = this.buffer.charCodeAt(this.at + 1);
    if (unit === 0x2d && (remaining < 2 || (next === 0x2d && remaining < 3))) return true;
    if (unit === 0x2f && (remaining < 2 || (next === 0x2a && remaining < 4))) return true;
    if (unit === this.delimiter.charCodeAt(0) && remaining < this.delimiter.length) return true;
    return this.isLineStart && (unit === 0x44 || unit === 0x64) && remaining < 'delimiter '.length;
  }

  private takeDelimiter(): boolean {
    const end = this.buffer.indexOf('\n', this.at);
    if (end === -1 && !this.isEnded) return false;
    const stop = end === -1 ? this.buffer.length : end;
    const word =
      this.buffer
        .slice(this.at + 9, stop)
        .trim()
        .split(/\s+/)[0] ?? '';
    this.finish(this.at, stop - this.at);
    if (word !== '' && !word.includes('\\')) this.delimiter = word;
    return true;
  }

  private openComment(unit: number): boolean {
    const next = this.buffer.charCodeAt(this.at + 1);
    const third = this.buffer.charCodeAt(this.at + 2);
    // Between statements, the standard clients treat two dashes as a comment, whatever character follows.
    const isBetween = this.start === -1 && this.beginning === null;
    const opensLine = isBetween || Number.isNaN(third) || third <= 0x20 || third === 0x7f;
    if (unit === 0x23 || (unit === 0x2d && next === 0x2d && opensLine)) {
      this.state = 'line';
      return true;
    }
    if (unit !== 0x2f || next !== 0x2a) return false;
    const isRun =
      third === 0x21 || ((third === 0x4d || third === 0x6d) && this.buffer.charCodeAt(this.at + 3) === 0x21);
    if (isRun) {
      this.begin();
      this.at += 3;
    } else {
      this.state = 'block';
      this.at += 2;
    }
    return true;
  }

  private takeUnit(unit: number): boolean {
    if (unit === 0x27 || unit === 0x22 || unit === 0x60) {
      this.begin();
      this.blocks.take(unit === 0x60 ? 'name' : 'text', '');
      this.quote = unit;
      this.state = 'quote';
      this.at += 1;
      return true;
    }
    if (!isNameUnit(unit)) {
      this.begin();
      this.blocks.take('mark', this.buffer.charAt(this.at));
      this.at += 1;
      return true;
    }
    return this.takeWord();
  }

  private takeWord(): boolean {
    let end = this.at + 1;
    // In `END$$`, the word ends before the delimiter `$$`.
    while (
      end < this.buffer.length &&
      end - this.at < WORD_CHARS_MAX &&
      isNameUnit(this.buffer.charCodeAt(end)) &&
      !this.buffer.startsWith(this.delimiter, end)
    )
      end += 1;
    if (end === this.buffer.length && !this.isEnded && end - this.at < WORD_CHARS_MAX) return false;
    this.begin();
    this.blocks.take('word', this.buffer.slice(this.at, end).toUpperCase());
    this.at = end;
    return true;
  }

  private begin(): void {
    if (this.start !== -1 || this.beginning !== null) return;
    this.countLines(this.at);
    this.start = this.at;
    this.startLine = this.line;
  }

  private finish(end: number, skip: number): void {
    const text = this.beginning ?? (this.start === -1 ? '' : this.buffer.slice(this.start, end).trimEnd());
    if (text !== '')
      this.found.push({
        text,
        line: this.startLine,
        delimiter: this.delimiter,
        isCut: this.beginning !== null,
      });
    this.at = end + skip;
    this.start = -1;
    this.beginning = null;
    this.blocks = new BlockTracker();
  }

  private countLines(to: number): void {
    for (
      let position = this.buffer.indexOf('\n', this.countedTo);
      position !== -1 && position < to;
      position = this.buffer.indexOf('\n', position + 1)
    )
      this.line += 1;
    this.countedTo = Math.max(this.countedTo, to);
  }

  /** Removes text that has been processed, and a statement that has become too long. */
  private compact(): void {
    if (this.start !== -1 && this.at - this.start > this.charsMax) {
      this.beginning = this.buffer.slice(this.start, this.start + BEGINNING_CHARS);
      this.start = -1;
    }
    const keep = this.start === -1 ? this.at : this.start;
    if (keep === 0) return;
    this.countLines(keep);
    this.buffer = this.buffer.slice(keep);
    this.at -= keep;
    this.countedTo -= keep;
    if (this.start !== -1) this.start = 0;
  }
}
