// @ts-check
import { createHash } from 'node:crypto';

/**
 * @typedef {{ database: string, measures: Readonly<Record<string, number>>, isRight: boolean, weight: number
 *   }} Example
 * @typedef {{ names: readonly string[], prior: readonly number[], damping: number }} Fit `prior` holds the
 *   constant first and then a weight for each name.
 */

const STEPS_MAX = 15;
const [LOWEST, HIGHEST] = [-1, 5];

/**
 * Limits a feature to the same range as `answer/score-candidate.ts`.
 * @param {number | undefined} value
 */
const clamp = (value) => Math.min(HIGHEST, Math.max(LOWEST, value ?? 0));

/** @param {Example} example @param {readonly string[]} names */
const toRow = ({ measures }, names) => [1, ...names.map((name) => clamp(measures[name]))];

/** @param {readonly number[]} weights @param {readonly number[]} row */
const toShare = (weights, row) =>
  1 / (1 + Math.exp(-row.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0)));

/**
 * Fits the weights of a logistic regression.
 * Regularization keeps the weights close to the previous ones unless the examples support a change.
 * @param {readonly Example[]} examples
 * @param {Fit} fit
 * @returns {number[]} the constant first
 */
export function fitWeights(examples, { names, prior, damping }) {
  const rows = examples.map((example) => toRow(example, names));
  let weights = [...prior];
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const slope = prior.map((before, index) =>
      index === 0 ? 0 : damping * (before - (weights[index] ?? 0)),
    );
    const bend = prior.map((_, index) =>
      prior.map((_other, other) => (index !== other ? 0 : index === 0 ? 1e-9 : damping)),
    );
    for (const [position, row] of rows.entries())
      addExample({ slope, bend }, row, examples[position], toShare(weights, row));
    const change = solve(bend, slope);
    weights = weights.map((weight, index) => weight + (change[index] ?? 0));
    if (change.every((value) => Math.abs(value) < 1e-5)) break;
  }
  return weights;
}

/**
 * @param {{ slope: number[], bend: number[][] }} sums
 * @param {readonly number[]} row
 * @param {Example | undefined} example
 * @param {number} share
 */
function addExample({ slope, bend }, row, example, share) {
  if (example === undefined) return;
  const [off, width] = [
    ((example.isRight ? 1 : 0) - share) * example.weight,
    Math.max(1e-6, share * (1 - share)) * example.weight,
  ];
  for (const [index, value] of row.entries()) {
    if (value === 0) continue;
    slope[index] = (slope[index] ?? 0) + off * value;
    const line = bend[index] ?? [];
    for (const [other, second] of row.entries()) line[other] = (line[other] ?? 0) + width * value * second;
  }
}

/**
 * Solves linear equations by Gauss-Jordan elimination with the largest pivot.
 * @param {readonly (readonly number[])[]} matrix
 * @param {readonly number[]} right
 */
function solve(matrix, right) {
  const lines = matrix.map((line, index) => [...line, right[index] ?? 0]);
  for (let column = 0; column < lines.length; column += 1) {
    const best = lines.reduce(
      (found, line, index) =>
        index >= column && Math.abs(line[column] ?? 0) > Math.abs(lines[found]?.[column] ?? 0)
          ? index
          : found,
      column,
    );
    [lines[column], lines[best]] = [lines[best] ?? [], lines[column] ?? []];
    const pivot = lines[column] ?? [];
    for (const [index, line] of lines.entries()) {
      const factor = index === column ? 0 : (line[column] ?? 0) / (pivot[column] ?? 1);
      if (factor !== 0)
        for (let position = column; position < line.length; position += 1)
          line[position] = (line[position] ?? 0) - factor * (pivot[position] ?? 0);
    }
  }
  return lines.map((line, index) => (line.at(-1) ?? 0) / (line[index] ?? 1));
}

/**
 * Scores each example with weights that were fitted without the questions over its schema.
 * @param {readonly Example[]} examples
 * @param {Fit} fit
 * @param {number} folds
 * @returns {number[]}
 */
export function scoreUnseen(examples, fit, folds) {
  const locations = examples.map(({ database }) => toFold(database, folds));
  const weights = Array.from({ length: folds }, (_, fold) =>
    fitWeights(
      examples.filter((_example, index) => locations[index] !== fold),
      fit,
    ),
  );
  return examples.map((example, index) =>
    toShare(weights[locations[index] ?? 0] ?? [], toRow(example, fit.names)),
  );
}

/**
 * Assigns a schema to a fold deterministically.
 * @param {string} database
 * @param {number} folds
 */
export function toFold(database, folds) {
  return (createHash('sha256').update(`fold: ${database}`).digest()[0] ?? 0) % folds;
}
