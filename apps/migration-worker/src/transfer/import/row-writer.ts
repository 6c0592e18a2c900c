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
  /** Maps lower-case column names to their spelling, because servers ignore the case of column names. */
  readonly spelled: ReadonlyMap<string, string>;
  readonly triggers: readonly string[];
  /** The name of the AUTO_INCREMENT column. */
  readonly counted: string | undefined;
}

export const VERBS: Readonly<Record<InsertHead['verb'], string>> = {
  insert: 'INSERT',
  ignore: 'INSERT IGNORE',
  replace: 'REPLACE',
};

/** Writes the rows of one statement in the form of an export file's chunks. */
export class RowWriter {
  private readonly retained: readonly number[];
  private readonly enums: readonly number[];
  private readonly textual: readonly number[];
  /**
   * The index of the AUTO_INCREMENT column in the rows. It is -1 when the rows omit the column, and null when
   * the table has none.
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
    this.retained = names.flatMap((name, index) => (columns.carried.has(name) ? [index] : []));
    this.enums = this.retained.filter((index) => columns.enums.has(names[index] ?? ''));
    this.textual = this.retained.filter((index) => columns.texts.has(names[index] ?? ''));
    this.into = `INTO ${quoteName(head.table)} (${this.retained.map((index) => quoteName(names[index] ?? '')).join(', ')}) VALUES\n`;
  }

  /** Returns the name of the first text column whose value is not valid text, or undefined. */
  findNoText(values: readonly InsertValue[]): string | undefined {
    const position = this.textual.find((index) => isNoText(values[index] as InsertValue, this.texts.charset));
    return position === undefined ? undefined : this.names[position];
  }

  /** Returns the name of the first column whose bytes are changed when the dump is decoded, or undefined. */
  findDamaged(values: readonly InsertValue[]): string | undefined {
    const position = this.retained.find((index) =>
      isDamaged(values[index] as InsertValue, this.textual.includes(index)),
    );
    return position === undefined ? undefined : this.names[position];
  }

  insertOf(values: readonly InsertValue[]): string {
    const isLax = this.head.verb === 'insert' && this.enums.some((index) => isEmptyLabel(values[index]));
    return `${isLax ? VERBS.ignore : VERBS[this.head.verb]} ${this.into}`;
  }

  valuesOf(values: readonly InsertValue[]): string {
    const isNext = this.counted !== null && this.counted !== -1 && this.takesNumber(values);
    return this.retained
      .map((index) =>
        isNext && index === this.counted
          ? 'NULL'
          : toSqlValue(values[index] as InsertValue, this.texts.charset),
      )
      .join(',');
  }

  /** Returns whether the server assigns the row's number. */
  takesNumber(values: readonly InsertValue[]): boolean {
    if (this.counted === null || this.counted === -1) return this.counted === -1;
    const value = values[this.counted];
    if (value?.kind === 'plain' && /^(?:NULL|DEFAULT)$/.test(value.text)) return true;
    const number =
      value?.kind === 'plain' ? value.text : value?.kind === 'text' ? value.quoted.slice(1, -1) : '';
    return !this.texts.keepsZero && /^[+-]?0+$/.test(number);
  }
}

/**
 * Returns whether the value is the empty ENUM value of legacy data. A strict session accepts it only with
 * INSERT IGNORE.
 */
function isEmptyLabel(value: InsertValue | undefined): boolean {
  return (
    (value?.kind === 'text' && value.quoted.length === 2) || (value?.kind === 'plain' && value.text === '0')
  );
}
