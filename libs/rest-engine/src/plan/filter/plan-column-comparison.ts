import type { CompiledColumn, CompiledTable, FilterOperator } from '@rowhouse/schema-model';
import { splitSegments } from '../../request/path-segments.js';
import { hintNearest, visibleColumnNames } from '../find-names.js';
import type { ColumnCondition, ComparisonSign } from './condition.js';
import { rejected, type PlannedCondition } from './condition.js';

/** Operators whose value is the name of another column of the same record. */
export type ColumnOperator = Extract<FilterOperator, `${string}_column`>;

const SIGNS: Readonly<Record<ColumnOperator, ComparisonSign>> = {
  eq_column: '=',
  ne_column: '<>',
  gt_column: '>',
  gte_column: '>=',
  lt_column: '<',
  lte_column: '<=',
};
/** The classes of values that can be compared only for equality. */
const UNORDERED: ReadonlySet<string> = new Set(['boolean', 'enum']);
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal', 'bit']);
const DAYS: ReadonlySet<string> = new Set(['date', 'datetime', 'timestamp']);
const OWN_CLASS: ReadonlySet<string> = new Set([
  'float',
  'double',
  'boolean',
  'time',
  'year',
  'uuid',
  'binary',
]);

export function isColumnOperator(operator: FilterOperator): operator is ColumnOperator {
  return operator in SIGNS;
}

/**
 * Plans a comparison of two columns such as `updated_at__gt_column=created_at`. `text` is the name of the
 * second column.
 */
export function planColumnComparison(
  table: CompiledTable,
  column: CompiledColumn,
  operator: ColumnOperator,
  text: string,
): PlannedCondition {
  const read = splitSegments(text);
  const [segment, ...further] = read?.segments ?? [];
  if (read === null || segment === undefined || read.end < text.length || further.length > 0) {
    return rejected(
      `The value must be the name of a column of ${table.name}.`,
      'unknown_column',
      'Name a column of the same record, for example updated_at__gt_column=created_at.',
    );
  }
  const other = table.findColumn(segment.name);
  if (other === null)
    return rejected(
      `${table.name} has no column ${JSON.stringify(segment.name)}.`,
      'unknown_column',
      hintNearest(segment.name, visibleColumnNames(table)) ??
        `Columns of ${table.name}: ${visibleColumnNames(table).slice(0, 20).join(', ')}.`,
    );
  return compareColumns(column, SIGNS[operator], other);
}

/** Compares two columns of one record. Adds a fault if their kinds have no common order. */
export function compareColumns(
  column: CompiledColumn,
  operator: ComparisonSign,
  other: CompiledColumn,
): PlannedCondition {
  if (column === other)
    return rejected(
      `${column.name} is compared with itself.`,
      'not_comparable',
      'Name another column of the record.',
    );
  const [comparisonClass, two] = [classOf(column), classOf(other)];
  if (comparisonClass === null || comparisonClass.name !== two?.name)
    return rejected(`${describe(column)} and ${describe(other)} cannot be compared.`, 'not_comparable', HINT);
  if (comparisonClass.collation !== two.collation)
    return rejected(
      `${column.name} and ${other.name} have different collations: ${comparisonClass.collation} and ${two.collation}.`,
      'not_comparable',
      'Give both columns one collation.',
    );
  if (UNORDERED.has(comparisonClass.name) && operator !== '=' && operator !== '<>')
    return rejected(
      `A ${comparisonClass.name} column has no order.`,
      'not_comparable',
      `Use ${column.name}__eq_column or ${column.name}__ne_column.`,
    );
  const as: ColumnCondition & { kind: 'columns' } = {
    kind: 'columns',
    column,
    operator,
    other,
    as: comparisonClass.name === 'boolean' ? 'truth' : comparisonClass.name === 'number' ? 'number' : 'plain',
  };
  return { kind: 'condition', condition: as };
}

const HINT =
  'You can compare numbers with numbers (INT, BIGINT, DECIMAL, BIT), FLOAT with FLOAT, DOUBLE ' +
  'with DOUBLE, dates with dates and times, and other columns with columns of the same type. ' +
  'JSON, SET, geometry and vector columns cannot be compared.';

interface ComparisonClass {
  readonly name: string;
  /** The collation of texts. It is '' for all other classes. */
  readonly collation: string;
}

/**
 * Returns the class of a column's values. Two columns can be compared if their classes are equal. Returns
 * null if the column cannot be compared.
 */
function classOf({ valueKind, type, collation }: CompiledColumn): ComparisonClass | null {
  if (valueKind === 'string' || valueKind === 'enum') return { name: valueKind, collation: collation ?? '' };
  const name = NUMBERS.has(valueKind)
    ? 'number'
    : DAYS.has(valueKind)
      ? 'day'
      : valueKind === 'inet'
        ? type
        : OWN_CLASS.has(valueKind)
          ? valueKind
          : null;
  return name === null ? null : { name, collation: '' };
}

function describe({ name, valueKind }: CompiledColumn): string {
  return `${name} (${valueKind})`;
}
