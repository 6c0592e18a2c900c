import type { DayNumber } from '../dates/calendar.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { PathBudget } from '../resolve/table-graph.js';
import type { ColumnLink, Span, TableLink, Token, ValueLink } from '../types.js';

/**
 * The tokens of a question, with the tables, columns and stored values to which they may refer. The list at
 * index `i` contains the spans that begin at token `i`, with the longest first.
 */
export interface LinkedQuestion extends SchemaQuestion {
  readonly tokens: readonly Token[];
  /** The current date, to which periods such as `last month` are relative. */
  readonly today: DayNumber;
  readonly columns: readonly (readonly Span<ColumnLink>[])[];
  readonly tables: readonly (readonly Span<TableLink>[])[];
  readonly values: readonly (readonly Span<ValueLink>[])[];
}

/** The schema about which a question is asked, and the remaining budget for searches for join paths. */
export interface SchemaQuestion {
  readonly lexicon: Lexicon;
  readonly budget: PathBudget;
}
