import type { CompiledColumn, CompiledRelationship } from '@rowhouse/schema-model';
import type { BoundValue } from '../../values/cell.js';
import type { Containment } from './plan-containment.js';
import type { ExactNumber } from '../../values/exact-number.js';

/** The result of planning one filter. */
export type PlannedCondition =
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'refused'; readonly msg: string; readonly type: string; readonly hint?: string };

export type Condition =
  | ColumnCondition
  | JsonCondition
  /** A full-text search in the columns of one FULLTEXT index. */
  | { readonly kind: 'match'; readonly columns: readonly CompiledColumn[]; readonly text: string }
  /** Conditions joined by AND or OR. The list is never empty. */
  | { readonly kind: 'group'; readonly operator: 'AND' | 'OR'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  /** A condition on related records: some, none or all of them match every condition of `where`. */
  | {
      readonly kind: 'related';
      readonly relationship: CompiledRelationship;
      readonly quantifier: 'some' | 'none' | 'every';
      readonly where: readonly Condition[];
    }
  /** A condition on the number of related records that match `where`. */
  | {
      readonly kind: 'related_count';
      readonly relationship: CompiledRelationship;
      readonly where: readonly Condition[];
      readonly operator: ComparisonSign;
      readonly value: string;
    };

/** A condition on a value inside a JSON column. */
export type JsonCondition =
  /** A test for NULL. If `path` is null, it applies to the whole column. */
  | {
      readonly kind: 'json_null';
      readonly column: CompiledColumn;
      readonly path: string | null;
      readonly isNull: boolean;
    }
  | {
      readonly kind: 'json_compare';
      readonly column: CompiledColumn;
      readonly path: string;
      readonly as: 'text' | 'boolean';
      readonly operator: ComparisonSign;
      readonly value: string;
    }
  | {
      readonly kind: 'json_compare';
      readonly column: CompiledColumn;
      readonly path: string;
      readonly as: 'number';
      readonly operator: ComparisonSign;
      readonly value: ExactNumber;
    }
  | {
      readonly kind: 'json_like';
      readonly column: CompiledColumn;
      readonly path: string;
      readonly isNegated: boolean;
      readonly mode: 'collation' | 'blind';
      readonly pattern: string;
    }
  | {
      readonly kind: 'json_regex';
      readonly column: CompiledColumn;
      readonly path: string;
      readonly pattern: string;
    }
  /**
   * A JSON_CONTAINS condition. `exact` contains checks in addition to the server's comparison of numbers.
   * `never` means that the value contains a number that the server cannot store.
   */
  | {
      readonly kind: 'json_contains';
      readonly column: CompiledColumn;
      readonly path: string | null;
      readonly value: string;
      readonly exact: Containment | 'never' | null;
    }
  | { readonly kind: 'json_has_key'; readonly column: CompiledColumn; readonly path: string };

export type ComparisonSign = '=' | '<>' | '>' | '>=' | '<' | '<=';

export type ColumnCondition =
  | {
      readonly kind: 'compare';
      readonly column: CompiledColumn;
      readonly operator: ComparisonSign;
      readonly value: BoundValue;
    }
  | {
      readonly kind: 'in';
      readonly column: CompiledColumn;
      readonly isNegated: boolean;
      readonly values: readonly BoundValue[];
    }
  | {
      readonly kind: 'between';
      readonly column: CompiledColumn;
      readonly isNegated: boolean;
      readonly low: BoundValue;
      readonly high: BoundValue;
    }
  | { readonly kind: 'null'; readonly column: CompiledColumn; readonly isNull: boolean }
  /** A test whether a boolean is true or false, written in SQL as `<> 0` or `= 0`. */
  | { readonly kind: 'truth'; readonly column: CompiledColumn; readonly value: boolean }
  /**
   * A LIKE condition with its `pattern`. With the mode `collation`, the column's collation determines whether
   * case matters. With `blind`, case is ignored.
   */
  | {
      readonly kind: 'like';
      readonly column: CompiledColumn;
      readonly isNegated: boolean;
      readonly mode: 'collation' | 'blind';
      readonly pattern: string;
    }
  | { readonly kind: 'regex'; readonly column: CompiledColumn; readonly pattern: string }
  /** Tests whether a geometry is inside the polygon `area`, which is GeoJSON text. */
  | { readonly kind: 'within'; readonly column: CompiledColumn; readonly area: string }
  /** Compares two columns of the same record. With `truth`, every value other than 0 counts as true. */
  | {
      readonly kind: 'columns';
      readonly column: CompiledColumn;
      readonly operator: ComparisonSign;
      readonly other: CompiledColumn;
      readonly as: 'plain' | 'number' | 'truth';
    }
  /** Compares a column with the current time. */
  | { readonly kind: 'now'; readonly column: CompiledColumn; readonly operator: ComparisonSign }
  | {
      readonly kind: 'part';
      readonly column: CompiledColumn;
      readonly part: 'YEAR' | 'MONTH' | 'DAY';
      readonly value: number;
    };

export function rejected(msg: string, type: string, hint?: string): PlannedCondition {
  return hint === undefined ? { kind: 'refused', msg, type } : { kind: 'refused', msg, type, hint };
}

/** Joins several conditions into one. Returns null for an empty list. */
export function joinConditions(operator: 'AND' | 'OR', conditions: readonly Condition[]): Condition | null {
  return conditions.length > 1 ? { kind: 'group', operator, conditions } : (conditions[0] ?? null);
}
