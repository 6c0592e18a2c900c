import type { DayNumber } from '../dates/calendar.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { PathBudget } from '../resolve/table-graph.js';
import type { ColumnLink, Span, TableLink, Token, ValueLink } from '../types.js';

/**
 * The tokens of a question with all their possible meanings.
 * Spans are listed by their first token, longest first.
 */
export interface LinkedQuestion extends SchemaQuestion {
  readonly tokens: readonly Token[];
  /** The day that `last month` is relative to. */
  readonly today: DayNumber;
  readonly columns: readonly (readonly Span<ColumnLink>[])[];
  readonly tables: readonly (readonly Span<TableLink>[])[];
  readonly values: readonly (readonly Span<ValueLink>[])[];
}

/** A question, reduced to the schema that it is asked over and to the work it may still cause. */
export interface SchemaQuestion {
  readonly lexicon: Lexicon;
  readonly budget: PathBudget;
}
