import { toCellText } from '../../../data/rows/cell-text.js';
import type { QueryResponse } from '../../../data/query-runs/run-query.js';

/** The points of a chart, with the label and the height of each. */
export interface ChartShape {
  readonly kind: 'bars' | 'line';
  readonly points: readonly { readonly label: string; readonly value: number }[];
  readonly min: number;
  readonly max: number;
}

const BARS_MAX = 40;
const POINTS_MAX = 2_000;

/**
 * Returns the positions of two columns for a chart: one for the x axis, and a numeric one for the y axis.
 * Returns null if the result cannot be drawn.
 */
export function suggestChart(
  answer: Pick<QueryResponse, 'columns' | 'data'>,
): { readonly x: number; readonly y: number } | null {
  const isNumbers = answer.columns.map(
    (_, index) =>
      answer.data.length > 0 &&
      answer.data.every(
        (row) =>
          row[index] === null ||
          (Number.isFinite(Number(toCellText(row[index]))) && toCellText(row[index]) !== ''),
      ),
  );
  const y = isNumbers.findLastIndex((is) => is);
  const x = answer.columns.findIndex((_, index) => index !== y && !isNumbers[index]);
  const other = x >= 0 ? x : answer.columns.findIndex((_, index) => index !== y);
  return y < 0 || other < 0 || answer.data.length < 2 ? null : { x: other, y };
}

/**
 * Returns the points of a chart. If the x axis shows times or has many values, the chart is a line. If it
 * shows names, the chart has bars.
 */
export function shapeChart(
  answer: Pick<QueryResponse, 'columns' | 'data'>,
  x: number,
  y: number,
): ChartShape {
  const isTime =
    /date|time|year/i.test(answer.columns[x]?.type ?? '') ||
    /^\d{4}-(\d\d|Q\d|W\d\d)/.test(toCellText(answer.data[0]?.[x]));
  const kind = isTime || answer.data.length > BARS_MAX ? 'line' : 'bars';
  const points = answer.data
    .slice(0, POINTS_MAX)
    .map((row) => ({ label: toCellText(row[x]) || 'NULL', value: Number(toCellText(row[y])) || 0 }));
  const values = points.map((point) => point.value);
  return { kind, points, min: Math.min(0, ...values), max: Math.max(0, ...values) };
}
