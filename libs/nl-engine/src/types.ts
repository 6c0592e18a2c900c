import type { Column, Table } from '@rowhouse/schema-model';

/** A piece of the question. `lemma` is the singular or the base form in lower case. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'date' | 'mark';
  /** As written, quotes taken off. */
  readonly text: string;
  readonly lower: string;
  readonly lemma: string;
  readonly isCapital: boolean;
  /** Of a number; NaN otherwise. */
  readonly value: number;
}

/** A column that a phrase may stand for; the lower the cost, the closer the phrase. */
export interface ColumnLink {
  readonly table: Table;
  readonly column: Column;
  readonly cost: number;
  /** Only a part of the column's name was said. */
  readonly isPart?: boolean;
}

export interface TableLink {
  readonly table: Table;
  readonly cost: number;
}

/** A value that is known to stand in a column. */
export interface ValueLink {
  readonly table: Table;
  readonly column: Column;
  /** As it is stored. */
  readonly value: string;
  readonly cost: number;
}

/** What the words from `from` up to, not including, `to` may stand for. */
export interface Span<T> {
  readonly from: number;
  readonly to: number;
  readonly links: readonly T[];
}

export type Aggregate = 'avg' | 'sum' | 'min' | 'max' | 'count';
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A column that the question names; which one it is, the resolver decides. */
export interface ColumnRef {
  readonly links: readonly ColumnLink[];
  /** The mention that the words tie it to; null: any that fits. */
  readonly owner: number | null;
  /** `name` and nothing more: where rows go by two columns, both are meant. */
  readonly isName?: boolean;
  /** Of rows that stand behind a row: what is averaged or summed up for each. */
  readonly isBehind?: boolean;
  /** Where it stands in the question; two mentions of one place are one. */
  readonly at: number;
}

export type Literal =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  /** From `from` on, up to, not including, `to`; either may be open. ISO days or instants. */
  | { readonly kind: 'period'; readonly from: string | null; readonly to: string | null };

export type Condition =
  | { readonly kind: 'compare'; readonly column: ColumnRef; readonly op: Comparison; readonly value: Literal }
  | { readonly kind: 'between'; readonly column: ColumnRef; readonly low: Literal; readonly high: Literal }
  | { readonly kind: 'like'; readonly column: ColumnRef; readonly place: 'start' | 'end' | 'inside'; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'null'; readonly column: ColumnRef; readonly negated: boolean }
  /** A value without its column's name: `students from Texas`. */
  | { readonly kind: 'value'; readonly links: readonly ValueLink[]; readonly negated: boolean; readonly owner: number | null; /** What it was made from, when it was turned round. */ readonly of?: Condition }
  /** Against the average (or another aggregate) of the same column over all rows, or over those that `where` holds for. */
  | { readonly kind: 'toAggregate'; readonly column: ColumnRef; readonly op: Comparison; readonly fn: Aggregate; readonly where: readonly Condition[] }
  /** An aggregate of the rows behind each row, or of the rows of each group, against a number. */
  | { readonly kind: 'aggregate'; readonly column: ColumnRef; readonly fn: Aggregate; readonly op: Comparison; readonly value: Literal & { readonly kind: 'number' } }
  /** The one row of all that comes first: `in the largest city`. */
  | { readonly kind: 'top'; readonly column: ColumnRef; readonly direction: 'asc' | 'desc' }
  /** The one row of all that the most or the fewest rows of a mention stand behind: `in the city with the most shops`. */
  | { readonly kind: 'topCount'; readonly mention: number; readonly direction: 'asc' | 'desc' }
  /** The value that the most or the fewest rows have: `of the most common type`. */
  | { readonly kind: 'topValue'; readonly column: ColumnRef; readonly direction: 'asc' | 'desc' }
  | { readonly kind: 'any'; readonly parts: readonly Condition[] }
  | { readonly kind: 'all'; readonly parts: readonly Condition[] };

/** How many rows: `upTo` where it is from `count` to that. */
export interface Quantity {
  readonly op: Comparison;
  readonly count: number;
  readonly upTo?: number;
}

/** Rows that the question speaks of, tied to those of its parent. */
export interface Mention {
  readonly links: readonly TableLink[];
  /** -1 for the one that everything else hangs on. */
  readonly parent: number;
  readonly negated: boolean;
  /** How many there must be; null: at least one. */
  readonly quantity: Quantity | null;
  readonly conditions: readonly Condition[];
  /** Words between parent and this one that name the tie. */
  readonly tie: readonly string[];
  /** Joined by `or` to the sibling before it. */
  readonly isAlternative: boolean;
  /** Rows of the parent's own table that have the same in this column: `studios that have made no film with …`. */
  readonly twinOf?: ColumnRef;
}

export type Target =
  | { readonly kind: 'column'; readonly column: ColumnRef; readonly fn: Aggregate | null; readonly distinct: boolean }
  | { readonly kind: 'rows'; readonly mention: number }
  | { readonly kind: 'everything'; readonly mention: number }
  | { readonly kind: 'count'; readonly mention: number; readonly distinct: boolean }
  /** How many rows of a mention stand behind each row of its parent, averaged or the like. */
  | { readonly kind: 'size'; readonly mention: number; readonly fn: Aggregate }
  /** Which part of the rows, in percent. The first conditions of the mention say which rows are the whole, all else is the part. */
  | { readonly kind: 'share'; readonly mention: number; readonly wholeConditions: number };

export type OrderKey =
  | { readonly kind: 'column'; readonly column: ColumnRef; readonly fn: Aggregate | null }
  | { readonly kind: 'count'; readonly mention: number }
  /** How many rows stand behind a value or a group. */
  | { readonly kind: 'size' };

export interface Order {
  readonly key: OrderKey;
  readonly direction: 'asc' | 'desc';
}

/** A stretch of time that rows may be put together by. */
export type TimeUnit = 'day' | 'month' | 'year';

export type Group =
  | { readonly kind: 'column'; readonly column: ColumnRef; /** Of a time: the stretch that it lies in. */ readonly unit?: TimeUnit }
  | { readonly kind: 'rows'; readonly mention: number };

/** What has been read of a question so far. */
export interface Draft {
  readonly targets: readonly Target[];
  readonly mentions: readonly Mention[];
  readonly groups: readonly Group[];
  readonly orders: readonly Order[];
  readonly limit: number | null;
  readonly distinct: boolean;
  /** Where words stand that nothing knows and that were passed over. */
  readonly strays: readonly number[];
  /** The mention that the next words belong to; -1 before the first. */
  readonly focus: number;
}

/** One way to read the question up to `at`. */
export interface Reading {
  readonly at: number;
  readonly cost: number;
  readonly draft: Draft;
}

/** A value bound to the statement. */
export type Param = string | number;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /** The last keys of its ORDER BY, which nobody asked for: they decide which of several equal rows a LIMIT keeps. */
  readonly tieBreakers: readonly string[];
}
