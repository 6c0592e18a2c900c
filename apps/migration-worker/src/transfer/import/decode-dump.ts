import { TextDecoder } from 'node:util';
import { AppError } from '@rowhouse/errors';
import { isWide, toByteText, widenToUtf8 } from './wide-charsets.js';

/** A part of a dump, with one character per byte. */
export interface DumpPart {
  readonly text: string;
  /** True when the file was UTF-16. `text` is then UTF-8, whatever character set the dump names. */
  readonly isUnicode: boolean;
}

const BEGINNING_BYTES = 4;

/**
 * Yields an upload as parts of a dump. UTF-16 is recognized by its byte order mark, or by the zero bytes of
 * its first letters.
 */
export async function* decodeUpload(bytes: AsyncIterable<Buffer>): AsyncGenerator<DumpPart> {
  let beginning: Buffer | null = Buffer.alloc(0);
  let decoder: TextDecoder | null = null;
  const toPart = (part: Buffer): DumpPart =>
    decoder === null
      ? { text: part.toString('latin1'), isUnicode: false }
      : { text: toByteText(decoder.decode(part, { stream: true })), isUnicode: true };
  for await (const part of bytes) {
    if (beginning === null) {
      yield toPart(part);
      continue;
    }
    beginning = Buffer.concat([beginning, part]);
    if (beginning.length < BEGINNING_BYTES) continue;
    decoder = openDecoder(beginning);
    yield toPart(beginning);
    beginning = null;
  }
  if (beginning !== null) yield toPart(beginning);
}

/**
 * Detects UTF-16 and returns its decoder. Returns null for a file that is read byte by byte. Throws
 * `transfer.unreadable` for UTF-32.
 */
function openDecoder(beginning: Buffer): TextDecoder | null {
  const [a = 0, b = 0, c = 0, d = 0] = beginning;
  const isUtf32 =
    (a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && (d !== 0 || c === 0xfe));
  if (isUtf32)
    throw new AppError('transfer.unreadable', {
      detail: 'The file is in UTF-32, which is not supported.',
      hint: 'Save it as UTF-8 and import it again.',
    });
  // A byte order mark may stay in the text, because the statement reader skips it.
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0 && c !== 0 && d === 0))
    return new TextDecoder('utf-16le', { ignoreBOM: true });
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && c === 0 && d !== 0))
    return new TextDecoder('utf-16be', { ignoreBOM: true });
  return null;
}

/** Matches a statement that may change the character set of later lines. */
const NAMES_CHARSET = /\bset\b.*\b(?:names|charset|character)/i;
const WIDE_NAME = /gbk|gb18030|big5|sjis|cp932/i;
const NAME_CHARS = 7;
const LINE_START_CHARS = 200;

/**
 * Splits a dump into chunks, and decodes each chunk in the character set that is in force when the chunk is
 * requested. In a wide character set, no chunk extends beyond a line, or beyond a statement that changes the
 * character set.
 */
export class DumpChunks {
  private rest = '';
  private tail = '';

  constructor(private readonly findCharset: () => string) {}

  *push(part: string): Generator<string, void> {
    const isCut = isWide(this.findCharset()) || WIDE_NAME.test(this.tail + part);
    this.tail = (this.tail + part).slice(-NAME_CHARS);
    const text = this.rest + part;
    this.rest = '';
    if (!isCut) {
      yield text;
      return;
    }
    const end = text.lastIndexOf('\n') + 1;
    for (const [index, line] of (text.slice(0, end).match(/[^\n]*\n/g) ?? []).entries())
      yield* this.cutLine(line, index === 0);
    this.rest = text.slice(end);
  }

  *end(): Generator<string, void> {
    const { rest } = this;
    this.rest = '';
    yield* this.cutLine(rest, true);
  }

  /**
   * Splits a line at statements if it may change the character set. The first line of a part may be the end
   * of such a line.
   */
  private *cutLine(line: string, isFirst: boolean): Generator<string, void> {
    const chunks =
      isFirst || NAMES_CHARSET.test(line.slice(0, LINE_START_CHARS)) ? line.split(/(?<=;)/) : [line];
    for (const chunk of chunks) {
      const charset = this.findCharset();
      yield isWide(charset) ? widenToUtf8(chunk, charset) : chunk;
    }
  }
}
