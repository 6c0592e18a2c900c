import type { DayNumber } from '../dates/calendar.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { PathBudget } from '../resolve/table-graph.js';
import type { ColumnLink, Span, TableLink, Token, ValueLink } from '../types.js';

/**
 * The tokens of a question with the tables, columns and stored values that they may denote.
 * The element at index `i` lists the spans that start at token `i`, longest first.
 */
export interface LinkedQuestion extends SchemaQuestion {
  readonly tokens: readonly Token[];
  /** The current day, to which periods such as `last month` are relative. */
  readonly today: DayNumber;
  readonly columns: readonly (readonly Span<ColumnLink>[])[];
  readonly tables: readonly (readonly Span<TableLink>[])[];
  readonly values: readonly (readonly Span<ValueLink>[])[];
}

/** The schema that a question is asked over and the remaining budget of its path searches. */
export interface SchemaQuestion {
  readonly lexicon: Lexicon;
  readonly budget: PathBudget;
}
