// @ts-check
/**
 * Fits weights for `answer/score-candidate.ts` to the data of `fit-bounds.mjs --readings`:
 * `node bench/questions/training/fit-weights.mjs --readings file`. It evaluates the bound on the score for
 * schemas that the weights have not seen, by scoring each with weights of the others.
 *
 * `--fresh` starts from zero instead of the current weights, which were
 * fitted to all schemas, and shows each fifth of the schemas separately.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BOUNDS, COST_MAX, SCORE_WEIGHTS } from '@rowhouse/nl-engine';
import { fitWeights, scoreUnseen, toFold } from './fit-logistic.mjs';

const SCORES = [0.7, 0.74, 0.77, 0.8, 0.84, 0.88];

const { values } = parseArgs({
  options: {
    readings: { type: 'string' },
    damping: { type: 'string', default: '6' },
    fresh: { type: 'boolean', default: false },
  },
});
const FOLDS = values.fresh ? 5 : 8;
if (values.readings === undefined) throw new Error('Set --readings to the output file of fit-bounds.mjs');
/** @type {import('./collect-interpretations.mjs').Reading[]} */
const interpretations = readFileSync(values.readings, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
const { constant, ...known } = SCORE_WEIGHTS;
const names = Object.keys(known);
const prior = [constant ?? 0, ...Object.values(known)];
const fit = { names, prior: values.fresh ? prior.map(() => 0) : prior, damping: Number(values.damping) };
// Examples with a hidden name count less, because such schemas are rarer in practice.
const examples = interpretations.map((interpretation) => ({
  ...interpretation,
  weight: interpretation.wording === 'hidden' ? 0.5 : 1,
}));
const scores = scoreUnseen(examples, fit, FOLDS);
for (const wording of ['question', 'reworded', 'hidden']) {
  const own = interpretations.flatMap((interpretation, index) =>
    interpretation.wording === wording ? [{ ...interpretation, unseen: scores[index] ?? 0 }] : [],
  );
  console.table(SCORES.map((scoreMin) => ({ wording, scoreMin, ...judge(own, scoreMin) })));
  if (values.fresh)
    console.table(
      Array.from({ length: FOLDS }, (_, fold) => ({
        wording,
        fold,
        ...judge(
          own.filter(({ database }) => toFold(database, FOLDS) === fold),
          BOUNDS.scoreMin,
        ),
      })),
    );
}
const [first, ...weights] = fitWeights(examples, fit);
console.log(
  `constant: ${(first ?? 0).toFixed(3)}, ${names.map((name, index) => `${name}: ${(weights[index] ?? 0).toFixed(3)}`).join(', ')}`,
);

/**
 * @param {readonly (import('./collect-interpretations.mjs').Reading & { unseen: number })[]} own
 * @param {number} scoreMin
 */
function judge(own, scoreMin) {
  const answered = own.filter(
    ({ unseen, cost, isDoubtful }) => unseen >= scoreMin && cost <= COST_MAX && !isDoubtful,
  );
  const right = answered.filter(({ isRight }) => isRight).length;
  return {
    schemas: new Set(own.map(({ database }) => database)).size,
    read: own.length,
    answered: answered.length,
    right,
    precisionPercent: Math.round((1_000 * right) / Math.max(1, answered.length)) / 10,
  };
}
