import type { DumpCharset } from './dump-bytes.js';
import type { ImportReport } from './import-report.js';
import { isWide } from './wide-charsets.js';

/** The character sets of a dump, which its statements may change. */
export class DumpCharsets {
  /**
   * Whether the file was UTF-16. The character sets named in it are then those of an earlier file from which
   * it was converted, and are ignored.
   */
  isUnicode = false;
  private charset: DumpCharset = 'utf8';
  private namesCharset: DumpCharset = 'utf8';
  /** An unsupported character set of the dump. Statements with characters beyond ASCII are omitted. */
  private unsupportedCharset: string | null = null;

  constructor(private readonly report: ImportReport) {}

  /** The unsupported character set of the current statement, or null. */
  get unsupported(): string | null {
    return this.unsupportedCharset;
  }

  /** The character set for the next lines. */
  get line(): string {
    return this.unsupportedCharset ?? this.charset;
  }

  /**
   * The character set of statements when the reader receives them. Statements in a multi-byte character set
   * such as GBK have already been converted to UTF-8.
   */
  get text(): DumpCharset {
    return isWide(this.charset) ? 'utf8' : this.charset;
  }

  /** The character set's name for problem reports. */
  get name(): string {
    return this.isUnicode ? 'UTF-16' : this.charset;
  }

  /** Whether the text was decoded before it was split into statements. */
  get isDecoded(): boolean {
    return this.isUnicode || isWide(this.charset);
  }

  /** Applies `SET NAMES` and similar statements. Null restores the character set of the last `SET NAMES`. */
  change(change: { readonly charset: DumpCharset | null; readonly isNames?: boolean }): void {
    if (this.isUnicode) return;
    this.charset = change.charset ?? this.namesCharset;
    if (change.isNames !== true) return;
    this.namesCharset = this.charset;
    this.unsupportedCharset = null;
  }

  /** Reports a character set that is not supported. */
  reject({ charset, line }: { readonly charset: string; readonly line: number }): void {
    if (this.isUnicode) return;
    this.unsupportedCharset = charset.toLowerCase();
    this.report.problem(
      line,
      charset,
      'This character set is not supported. Create the dump with --default-character-set=utf8mb4, ' +
        'or save the file as UTF-8 and change SET NAMES to utf8mb4.',
    );
  }
}
