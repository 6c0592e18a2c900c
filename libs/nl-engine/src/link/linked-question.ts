import type { DayNumber } from '../dates/calendar.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { ColumnLink, Span, TableLink, Token, ValueLink } from '../types.js';

/**
 * The tokens of a question with all their possible meanings.
 * Spans are listed by their first token, longest first.
 */
export interface LinkedQuestion {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  /** The day that `last month` is relative to. */
  readonly today: DayNumber;
  readonly columns: readonly (readonly Span<ColumnLink>[])[];
  readonly tables: readonly (readonly Span<TableLink>[])[];
  readonly values: readonly (readonly Span<ValueLink>[])[];
}
