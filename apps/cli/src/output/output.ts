import { styleText } from 'node:util';
import type { World } from '../world.js';
import { renderTable, type Cell } from './render-table.js';
import { toPrintable } from './to-printable.js';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Where a command's words go: tables and sentences for people, one JSON value for scripts. */
export class Output {
  readonly #world: World;
  readonly isJson: boolean;
  readonly #isColored: boolean;
  #progress = '';

  constructor(world: World, { isJson, isColored }: { readonly isJson: boolean; readonly isColored: boolean }) {
    this.#world = world;
    this.isJson = isJson;
    this.#isColored = isColored;
  }

  style(style: Style, text: string): string {
    return this.#isColored ? styleText(style, text, { validateStream: false }) : text;
  }

  /** The result: `value` with `--json`, else what `show` prints. */
  result(value: unknown, show: () => void): void {
    this.endProgress();
    if (this.isJson) this.#world.print(`${toPrintable(JSON.stringify(value, null, 2))}\n`);
    else show();
  }

  line(text = ''): void {
    this.endProgress();
    if (!this.isJson) this.#world.print(`${toPrintable(text)}\n`);
  }

  /** The result as it is, with `--json` too; to a terminal, as one shows it. */
  raw(text: string): void {
    this.#world.print(this.#world.isTerminal ? toPrintable(text) : text);
  }

  table(heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
    if (rows.length === 0) return this.line(this.style('dim', 'Nothing there.'));
    const width = this.#world.isTerminal ? this.#world.columns : null;
    for (const [at, line] of renderTable(heads, rows, width).entries()) this.line(at === 0 ? this.style('bold', line) : line);
  }

  /** Beside the result: to the stream of errors. */
  note(text: string): void {
    this.endProgress();
    this.#world.tell(`${toPrintable(text)}\n`);
  }

  done(text: string): void {
    if (!this.isJson) this.note(`${this.style('green', '✓')} ${text}`);
  }

  /** One of many results of a command that goes on: a line of JSON for scripts, a sentence for people. */
  event(value: unknown, text: string): void {
    if (this.isJson) this.#world.print(`${toPrintable(JSON.stringify(value))}\n`);
    else this.done(text);
  }

  warn(text: string): void {
    this.note(`${this.style('yellow', '!')} ${text}`);
  }

  /** A line that the next one takes the place of; where lines cannot change, each is told once. */
  progress(text: string): void {
    if (text === this.#progress) return;
    if (this.#world.isInteractive) this.#world.tell(`\r\u001b[K${toPrintable(text)}`);
    else this.#world.tell(`${toPrintable(text)}\n`);
    this.#progress = text;
  }

  endProgress(): void {
    if (this.#progress !== '' && this.#world.isInteractive) this.#world.tell('\n');
    this.#progress = '';
  }
}
