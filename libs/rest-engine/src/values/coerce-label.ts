import { nearestNames } from '@rowhouse/errors';
import type { CompiledColumn } from '@rowhouse/schema-model';
import { fits, reject, type Coerced, type Purpose } from './coerced.js';

/**
 * Converts a label of an ENUM, or the label's index, counted from 1. Digits that are themselves a label are a
 * label. Filters may use '', which the servers store for invalid labels.
 */
export function coerceEnum(
  column: CompiledColumn,
  text: string,
  isIndex: boolean,
  purpose: Purpose,
): Coerced {
  const labels = column.labels ?? [];
  if (text === '' && purpose !== 'write') return fits(text);
  if (!isIndex && labels.includes(text)) return fits(text);
  const byIndex = /^[1-9]\d{0,4}$/.test(text) ? labels[Number(text) - 1] : undefined;
  if (byIndex !== undefined) return fits(byIndex);
  return reject(`The value must be one of ${listLabels(labels)}.`, 'enum', hintLabel(text, labels));
}

/**
 * The maximum number of labels in one value, many times the number of labels that a SET can have. Each given
 * label is searched for in the column's labels.
 */
export const SET_LABELS_MAX = 1_000;

/**
 * Converts the labels of a SET in any order, with or without repetitions. They are bound in the column's
 * order, because the servers store them in that order.
 */
export function coerceSet(column: CompiledColumn, requested: readonly string[]): Coerced {
  const labels = column.labels ?? [];
  if (requested.length > SET_LABELS_MAX)
    return reject(`A set can have at most ${SET_LABELS_MAX} labels.`, 'too_long');
  const unknown = requested.find((label) => !labels.includes(label));
  if (unknown !== undefined)
    return reject(`The values must be among ${listLabels(labels)}.`, 'enum', hintLabel(unknown, labels));
  return fits(labels.filter((label) => requested.includes(label)).join(','));
}

function listLabels(labels: readonly string[]): string {
  const visible = labels
    .slice(0, 20)
    .map((label) => JSON.stringify(label))
    .join(', ');
  return labels.length > 20 ? `${visible} and ${labels.length - 20} more` : visible;
}

/**
 * The maximum product of a column's labels and their characters. Beyond it, searching for similar labels
 * would take too long for bodies with many invalid values.
 */
const HINT_SIZE_MAX = 2_000;

function hintLabel(text: string, labels: readonly string[]): string | undefined {
  if (labels.length * text.length > HINT_SIZE_MAX) return undefined;
  const source = nearestNames(text, labels, 1)[0];
  return source === undefined ? undefined : `Did you mean ${JSON.stringify(source)}?`;
}
