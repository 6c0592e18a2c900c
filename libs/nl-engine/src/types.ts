import type { Column, Table } from '@rowhouse/schema-model';

/** One word, number, quoted text, date or punctuation mark of the question. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'date' | 'mark';
  /** The text as it is written, without quotes. */
  readonly text: string;
  readonly lower: string;
  /**
   * The singular of a noun in lower case. Other words are not changed, except that misspellings are
   * corrected.
   */
  readonly lemma: string;
  /** Whether the text begins with a capital letter. */
  readonly isCapital: boolean;
  /** The value of a number. NaN for other kinds of tokens. */
  readonly value: number;
}

/**
 * A column to which a phrase may refer. `cost` is 0 for the exact name, and higher for less similar phrases.
 */
export interface ColumnLink {
  readonly table: Table;
  readonly column: Column;
  readonly cost: number;
  /** Whether the phrase contains only a part of the column's name. */
  readonly isPart?: boolean;
}

/**
 * A table to which a phrase may refer. `cost` is 0 for the exact name, and higher for less similar phrases.
 */
export interface TableLink {
  readonly table: Table;
  readonly cost: number;
}

/** A stored value to which a phrase may refer, with its column. */
export interface ValueLink {
  readonly table: Table;
  readonly column: Column;
  /** The value as it is stored. */
  readonly value: string;
  readonly cost: number;
}

/**
 * The tables, columns or values to which the tokens from `from` (inclusive) to `to` (exclusive) may refer.
 */
export interface Span<T> {
  readonly from: number;
  readonly to: number;
  readonly links: readonly T[];
}

export type Aggregate = 'avg' | 'sum' | 'min' | 'max' | 'count';
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A reference to a column in the question. The resolver chooses the column. */
export interface ColumnRef {
  readonly links: readonly ColumnLink[];
  /** The index of the mention to which the column belongs. If null, the resolver chooses the mention. */
  readonly owner: number | null;
  /**
   * Whether the question only says `name`. For a table with a first and a last name, both columns are then
   * used.
   */
  readonly isName?: boolean;
  /** Whether this is a column of child rows, whose values are aggregated for each parent row. */
  readonly isChildColumn?: boolean;
  /** The index of the token with the name. References with the same position are the same column. */
  readonly position: number;
}

/** A number. `digits` is its text if `String(value)` is different, as for `007`. */
export interface NumberLiteral {
  readonly kind: 'number';
  readonly value: number;
  readonly digits?: string;
}

export type Literal =
  | { readonly kind: 'text'; readonly text: string }
  | NumberLiteral
  /**
   * A period from `from` (inclusive) to `to` (exclusive), as ISO dates or times. Null means that the period
   * has no start or no end.
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
  /** A value for which the question names no column, as in `students from Texas`. */
  | {
      readonly kind: 'value';
      readonly links: readonly ValueLink[];
      readonly negated: boolean;
      readonly owner: number | null;
      /** If this condition is negated: the original condition. */ readonly of?: Condition;
    }
  /**
   * Compares a column with an aggregate of the same column, over all rows or over the rows that match
   * `where`.
   */
  | {
      readonly kind: 'toAggregate';
      readonly column: ColumnRef;
      readonly op: Comparison;
      readonly fn: Aggregate;
      readonly where: readonly Condition[];
    }
  /**
   * Compares an aggregate with a number, as in `with an average rating above 4`. The aggregate is computed
   * over the child rows of each row, or over the rows of each group.
   */
  | {
      readonly kind: 'aggregate';
      readonly column: ColumnRef;
      readonly fn: Aggregate;
      readonly op: Comparison;
      readonly value: NumberLiteral;
    }
  /** Requires the row with the highest or lowest value of a column, as in `in the largest city`. */
  | { readonly kind: 'top'; readonly column: ColumnRef; readonly direction: 'asc' | 'desc' }
  /** Requires the row with the most or fewest child rows, as in `in the city with the most shops`. */
  | { readonly kind: 'topCount'; readonly mention: number; readonly direction: 'asc' | 'desc' }
  /** Requires the most or least frequent value of a column, as in `of the most common type`. */
  | { readonly kind: 'topValue'; readonly column: ColumnRef; readonly direction: 'asc' | 'desc' }
  | { readonly kind: 'any'; readonly parts: readonly Condition[] }
  | { readonly kind: 'all'; readonly parts: readonly Condition[] };

/** A required number of rows. With `upTo`, it is a range from `count` to `upTo`, including both. */
export interface Quantity {
  readonly op: Comparison;
  readonly count: number;
  readonly upTo?: number;
}

/**
 * A reference in the question to rows of one table. The mentions form a tree, connected by `parent`.
 * `customers with orders` has a root mention for the customers and a child mention for the orders.
 */
export interface Mention {
  readonly links: readonly TableLink[];
  /** The index of the parent mention. It is -1 for the root. */
  readonly parent: number;
  readonly negated: boolean;
  /** The required number of rows for each parent row. If null, at least one row is required. */
  readonly quantity: Quantity | null;
  readonly conditions: readonly Condition[];
  /** The words between the parent and this mention. They select one of several foreign keys. */
  readonly tie: readonly string[];
  /** Whether `or` connects this mention with the previous mention of the same parent. */
  readonly isAlternative: boolean;
  /**
   * If set, the rows are other rows of the parent's table with the same value in this column, as in `studios
   * that have made no film with …`.
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
  /** An aggregate, such as the average, of the number of child rows that each parent row has. */
  | { readonly kind: 'size'; readonly mention: number; readonly fn: Aggregate }
  /**
   * The percentage of rows that match all conditions of the mention. The rows that match its first
   * `wholeConditions` conditions are 100 %.
   */
  | { readonly kind: 'share'; readonly mention: number; readonly wholeConditions: number };

export type OrderKey =
  | { readonly kind: 'column'; readonly column: ColumnRef; readonly fn: Aggregate | null }
  | { readonly kind: 'count'; readonly mention: number }
  /** The number of rows in each group, or with each returned value. */
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
      /** For a column with times: the period by which rows are grouped. */ readonly unit?: TimeUnit;
    }
  | { readonly kind: 'rows'; readonly mention: number };

/** The interpretation of a question, as far as it is parsed. */
export interface Draft {
  readonly targets: readonly Target[];
  readonly mentions: readonly Mention[];
  readonly groups: readonly Group[];
  readonly orders: readonly Order[];
  readonly limit: number | null;
  readonly distinct: boolean;
  /** The indexes of the tokens with unknown words that were skipped. */
  readonly unmatched: readonly number[];
  /** The index of the mention to which the next words apply. It is -1 before the first mention. */
  readonly focus: number;
}

/** One possible interpretation of the tokens before `position`. */
export interface Interpretation {
  readonly position: number;
  /** The sum of the costs of all applied rules. Improbable rules have a high cost. */
  readonly cost: number;
  readonly draft: Draft;
}

/** A parameter of the SQL statement. */
export type Param = string | number;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /**
   * The last sort keys of ORDER BY, which are added so that the order is unique. They determine which of
   * several equal rows a LIMIT returns.
   */
  readonly tieBreakers: readonly string[];
}
