import type { Column, Table } from '@rowhouse/schema-model';

/** A token of the question. `lemma` is the singular or base form in lower case. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'date' | 'mark';
  /** The text as written, without quotes. */
  readonly text: string;
  readonly lower: string;
  readonly lemma: string;
  readonly isCapital: boolean;
  /** The value of a number; NaN for other kinds. */
  readonly value: number;
}

/** A column that a phrase may refer to. A lower cost means a closer match. */
export interface ColumnLink {
  readonly table: Table;
  readonly column: Column;
  readonly cost: number;
  /** Set when the phrase contains only a part of the column's name. */
  readonly isPart?: boolean;
}

export interface TableLink {
  readonly table: Table;
  readonly cost: number;
}

/** A known value of a column. */
export interface ValueLink {
  readonly table: Table;
  readonly column: Column;
  /** The value as stored. */
  readonly value: string;
  readonly cost: number;
}

/** The possible meanings of the tokens from `from` (inclusive) to `to` (exclusive). */
export interface Span<T> {
  readonly from: number;
  readonly to: number;
  readonly links: readonly T[];
}

export type Aggregate = 'avg' | 'sum' | 'min' | 'max' | 'count';
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A reference to a column in the question. The resolver decides which column it is. */
export interface ColumnRef {
  readonly links: readonly ColumnLink[];
  /** The mention that the words attach the column to. Null allows any mention that fits. */
  readonly owner: number | null;
  /** Set when the question only says `name`. Tables with a first and a last name then use both. */
  readonly isName?: boolean;
  /** Set for a column of child rows, which is averaged or summed for each parent row. */
  readonly isChildColumn?: boolean;
  /** The token index in the question. Two references at the same index are one reference. */
  readonly position: number;
}

/** A number. `digits` is its text where the double `value` is written differently, as in `007`. */
export interface NumberLiteral {
  readonly kind: 'number';
  readonly value: number;
  readonly digits?: string;
}

export type Literal =
  | { readonly kind: 'text'; readonly text: string }
  | NumberLiteral
  /**
   * A period from `from` (inclusive) to `to` (exclusive), as ISO dates or instants.
   * Null leaves that end open.
   */
  | { readonly kind: 'period'; readonly from: string | null; readonly to: string | null };

export type Condition =
  | { readonly kind: 'compare'; readonly column: ColumnRef; readonly op: Comparison; readonly value: Literal }
  | { readonly kind: 'between'; readonly column: ColumnRef; readonly low: Literal; readonly high: Literal }
  | {
      readonly kind: 'like';
      readonly column: ColumnRef;
      readonly place: 'start' | 'end' | 'inside';
      readonly text: string;
      readonly negated: boolean;
    }
  | { readonly kind: 'null'; readonly column: ColumnRef; readonly negated: boolean }
  /** A value without the name of its column, as in `students from Texas`. */
  | {
      readonly kind: 'value';
      readonly links: readonly ValueLink[];
      readonly negated: boolean;
      readonly owner: number | null;
      /** The original condition, when this one was inverted. */ readonly of?: Condition;
    }
  /** Compares with an aggregate of the same column over all rows, or over the rows that match `where`. */
  | {
      readonly kind: 'toAggregate';
      readonly column: ColumnRef;
      readonly op: Comparison;
      readonly fn: Aggregate;
      readonly where: readonly Condition[];
    }
  /**
   * Compares an aggregate with a number.
   * It is taken over the child rows of each row, or over the rows of each group.
   */
  | {
      readonly kind: 'aggregate';
      readonly column: ColumnRef;
      readonly fn: Aggregate;
      readonly op: Comparison;
      readonly value: NumberLiteral;
    }
  /** The first of all rows in this order, as in `in the largest city`. */
  | { readonly kind: 'top'; readonly column: ColumnRef; readonly direction: 'asc' | 'desc' }
  /** The row with the most or fewest rows of a mention, as in `in the city with the most shops`. */
  | { readonly kind: 'topCount'; readonly mention: number; readonly direction: 'asc' | 'desc' }
  /** The most or least frequent value, as in `of the most common type`. */
  | { readonly kind: 'topValue'; readonly column: ColumnRef; readonly direction: 'asc' | 'desc' }
  | { readonly kind: 'any'; readonly parts: readonly Condition[] }
  | { readonly kind: 'all'; readonly parts: readonly Condition[] };

/** A number of rows. With `upTo`, the number is between `count` and `upTo`. */
export interface Quantity {
  readonly op: Comparison;
  readonly count: number;
  readonly upTo?: number;
}

/** A set of rows in the question, related to the rows of its parent. */
export interface Mention {
  readonly links: readonly TableLink[];
  /** The index of the parent mention; -1 for the root. */
  readonly parent: number;
  readonly negated: boolean;
  /** The required number of rows. Null requires at least one. */
  readonly quantity: Quantity | null;
  readonly conditions: readonly Condition[];
  /** The words between the parent and this mention. They identify the relationship. */
  readonly tie: readonly string[];
  /** Set when `or` joins this mention to its previous sibling. */
  readonly isAlternative: boolean;
  /**
   * Set when the rows are other rows of the parent's table with the same
   * value in this column, as in `studios that have made no film with …`.
   */
  readonly duplicateOf?: ColumnRef;
}

export type Target =
  | {
      readonly kind: 'column';
      readonly column: ColumnRef;
      readonly fn: Aggregate | null;
      readonly distinct: boolean;
    }
  | { readonly kind: 'rows'; readonly mention: number }
  | { readonly kind: 'everything'; readonly mention: number }
  | { readonly kind: 'count'; readonly mention: number; readonly distinct: boolean }
  /** An aggregate, such as the average, of the number of child rows that each parent row has in a mention. */
  | { readonly kind: 'size'; readonly mention: number; readonly fn: Aggregate }
  /**
   * A part of the rows in percent.
   * The first `wholeConditions` conditions of the mention define the whole, and the others define the part.
   */
  | { readonly kind: 'share'; readonly mention: number; readonly wholeConditions: number };

export type OrderKey =
  | { readonly kind: 'column'; readonly column: ColumnRef; readonly fn: Aggregate | null }
  | { readonly kind: 'count'; readonly mention: number }
  /** The number of rows that have a value or belong to a group. */
  | { readonly kind: 'size' };

export interface Order {
  readonly key: OrderKey;
  readonly direction: 'asc' | 'desc';
}

/** A period by which rows can be grouped. */
export type TimeUnit = 'day' | 'month' | 'year';

export type Group =
  | {
      readonly kind: 'column';
      readonly column: ColumnRef;
      /** For a column with times, the period that rows are grouped by. */ readonly unit?: TimeUnit;
    }
  | { readonly kind: 'rows'; readonly mention: number };

/** The interpretation of a question so far. */
export interface Draft {
  readonly targets: readonly Target[];
  readonly mentions: readonly Mention[];
  readonly groups: readonly Group[];
  readonly orders: readonly Order[];
  readonly limit: number | null;
  readonly distinct: boolean;
  /** The token indexes of unknown words that were skipped. */
  readonly unmatched: readonly number[];
  /** The mention that the next words belong to; -1 before the first mention. */
  readonly focus: number;
}

/** One possible interpretation of the question up to the token at `position`. */
export interface Interpretation {
  readonly position: number;
  readonly cost: number;
  readonly draft: Draft;
}

/** A parameter of the statement. */
export type Param = string | number;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /**
   * The trailing keys of ORDER BY that the question did not ask for.
   * They decide which of several equal rows a LIMIT returns.
   */
  readonly tieBreakers: readonly string[];
}
