import { quoteName } from '@rowhouse/mysql';
import type { InsertHead, InsertValue } from '@rowhouse/query-engine';
import { isDamaged, isNoText, toSqlValue, type DumpCharset } from './dump-bytes.js';

/** The columns of a table for the rows of a dump. */
export interface KnownColumns {
  readonly all: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly carried: ReadonlySet<string>;
  readonly enums: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  /** Names by their lower-case form, since servers ignore the case of column names. */
  readonly spelled: ReadonlyMap<string, string>;
  readonly triggers: readonly string[];
  /** The column with AUTO_INCREMENT. */
  readonly counted: string | undefined;
}

export const VERBS: Readonly<Record<InsertHead['verb'], string>> = { insert: 'INSERT', ignore: 'INSERT IGNORE', replace: 'REPLACE' };

/** Writes the rows of one statement in the form of a file's pieces. */
export class RowWriter {
  private readonly kept: readonly number[];
  private readonly enums: readonly number[];
  private readonly textual: readonly number[];
  /**
   * The index of the AUTO_INCREMENT column in the rows: -1 when rows omit it, null when the table has none.
   */
  private readonly counted: number | null;
  private readonly into: string;

  constructor(
    private readonly head: InsertHead,
    private readonly names: readonly string[],
    columns: KnownColumns,
    private readonly texts: { readonly charset: DumpCharset; readonly keepsZero: boolean },
  ) {
    this.counted = columns.counted === undefined ? null : names.indexOf(columns.counted);
    this.kept = names.flatMap((name, at) => (columns.carried.has(name) ? [at] : []));
    this.enums = this.kept.filter((at) => columns.enums.has(names[at] ?? ''));
    this.textual = this.kept.filter((at) => columns.texts.has(names[at] ?? ''));
    this.into = `INTO ${quoteName(head.table)} (${this.kept.map((at) => quoteName(names[at] ?? '')).join(', ')}) VALUES\n`;
  }

  /** Returns the first text column whose value is not valid text, or undefined. */
  findNoText(values: readonly InsertValue[]): string | undefined {
    const at = this.textual.find((index) => isNoText(values[index] as InsertValue, this.texts.charset));
    return at === undefined ? undefined : this.names[at];
  }

  /** Returns the first column whose bytes a decoded dump does not preserve, or undefined. */
  findDamaged(values: readonly InsertValue[]): string | undefined {
    const at = this.kept.find((index) => isDamaged(values[index] as InsertValue, this.textual.includes(index)));
    return at === undefined ? undefined : this.names[at];
  }

  insertOf(values: readonly InsertValue[]): string {
    const isLax = this.head.verb === 'insert' && this.enums.some((at) => isEmptyLabel(values[at]));
    return `${isLax ? VERBS.ignore : VERBS[this.head.verb]} ${this.into}`;
  }

  valuesOf(values: readonly InsertValue[]): string {
    const isNext = this.counted !== null && this.counted !== -1 && this.takesNumber(values);
    return this.kept.map((at) => (isNext && at === this.counted ? 'NULL' : toSqlValue(values[at] as InsertValue, this.texts.charset))).join(',');
  }

  /** Returns whether the server assigns the row's number. */
  takesNumber(values: readonly InsertValue[]): boolean {
    if (this.counted === null || this.counted === -1) return this.counted === -1;
    const value = values[this.counted];
    if (value?.kind === 'plain' && /^(?:NULL|DEFAULT)$/.test(value.text)) return true;
    const number = value?.kind === 'plain' ? value.text : value?.kind === 'text' ? value.quoted.slice(1, -1) : '';
    return !this.texts.keepsZero && /^[+-]?0+$/.test(number);
  }
}

/**
 * Returns whether this is the empty value of legacy data, which a strict session
 * only accepts by INSERT IGNORE.
 */
function isEmptyLabel(value: InsertValue | undefined): boolean {
  return (value?.kind === 'text' && value.quoted.length === 2) || (value?.kind === 'plain' && value.text === '0');
}
