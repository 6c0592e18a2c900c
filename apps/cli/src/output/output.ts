import { styleText } from 'node:util';
import type { CliEnvironment } from '../cli-environment.js';
import { renderTable, type Cell } from './render-table.js';

/** Matches the escape sequences that `styleText` writes for the styles of this program. */
const STYLE = String.raw`\u001b\[(?:1|2|22|3[1236]|39)m`;

/** Matches characters that change the direction of text, which could disguise what it says. */
const DIRECTION = String.raw`[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;

const PARTS = new RegExp(`${STYLE}|[^\\P{Cc}\\n\\t]|${DIRECTION}`, 'gu');
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** The output of a command: tables and sentences for people, or one JSON value for scripts. */
export class Output {
  readonly #environment: CliEnvironment;
  readonly isJson: boolean;
  readonly #isColored: boolean;
  #progress = '';

  constructor(
    cliEnvironment: CliEnvironment,
    { isJson, isColored }: { readonly isJson: boolean; readonly isColored: boolean },
  ) {
    this.#environment = cliEnvironment;
    this.isJson = isJson;
    this.#isColored = isColored;
  }

  style(style: Style, text: string): string {
    return this.#isColored ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Prints `value` with `--json`, or calls `show` otherwise. */
  result(value: unknown, show: () => void): void {
    this.endProgress();
    if (this.isJson) this.#environment.print(`${toPrintable(JSON.stringify(value, null, 2))}\n`);
    else show();
  }

  line(text = ''): void {
    this.endProgress();
    if (!this.isJson) this.#environment.print(`${toPrintable(text)}\n`);
  }

  /** Prints the result unchanged, also with `--json`. On a terminal, control characters are escaped. */
  raw(text: string): void {
    this.#environment.print(this.#environment.isTerminal ? toPrintable(text) : text);
  }

  table(heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
    if (rows.length === 0) return this.line(this.style('dim', 'No results.'));
    const width = this.#environment.isTerminal ? this.#environment.columns : null;
    for (const [index, line] of renderTable(heads, rows, width).entries())
      this.line(index === 0 ? this.style('bold', line) : line);
  }

  /** Prints a note to stderr. */
  note(text: string): void {
    this.endProgress();
    this.#environment.writeError(`${toPrintable(text)}\n`);
  }

  done(text: string): void {
    if (!this.isJson) this.note(`${this.style('green', '✓')} ${text}`);
  }

  /**
   * Prints one of many results of a running command: a line of JSON for scripts, or a sentence for people.
   */
  event(value: unknown, text: string): void {
    if (this.isJson) this.#environment.print(`${toPrintable(JSON.stringify(value))}\n`);
    else this.done(text);
  }

  warn(text: string): void {
    this.note(`${this.style('yellow', '!')} ${text}`);
  }

  /** Prints a line that the next one replaces. Without a terminal, each different line is printed once. */
  progress(text: string): void {
    if (text === this.#progress) return;
    if (this.#environment.isInteractive) this.#environment.writeError(`\r\u001b[K${toPrintable(text)}`);
    else this.#environment.writeError(`${toPrintable(text)}\n`);
    this.#progress = text;
  }

  endProgress(): void {
    if (this.#progress !== '' && this.#environment.isInteractive) this.#environment.writeError('\n');
    this.#progress = '';
  }
}

/**
 * Escapes control characters as in JSON. Names, comments and SQL come from other people, and a terminal
 * executes escape sequences. Styles of this program and line breaks are preserved.
 */
export function toPrintable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(PARTS, (part) =>
      part.length > 1 ? part : `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
