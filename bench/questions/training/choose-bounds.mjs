// @ts-check
/**
 * Evaluates the bounds of `answer/score-candidate.ts` on schemas that were not used to choose them:
 * `node bench/questions/training/choose-bounds.mjs --readings file`.
 *
 * For each fifth of the tuning schemas, it chooses the bounds on the other
 * four fifths. It selects the best precision that still answers `--cover`
 * percent of the questions correctly, and measures it on the remaining fifth.
 *
 * The input is the output of `fit-bounds.mjs --readings`.
 * Percentages are of all questions, including those whose gold query fails on the server.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BOUNDS, COST_MAX, isDoubtful, scoreCandidate } from '@rowhouse/nl-engine';
import { toFold } from './fit-logistic.mjs';
import { toDatabaseName } from '../databases/load-databases.mjs';
import { readTrainingSet } from '../databases/training-set.mjs';

/** @typedef {import('./collect-interpretations.mjs').Reading} Reading @typedef {import('@rowhouse/nl-engine').Bounds} Choice */

const FOLDS = 5;
const WORDINGS = /** @type {const} */ (['question', 'reworded', 'hidden']);
/** @type {Choice[]} */
const CHOICES = [0.77, 0.8, 0.82, 0.84].flatMap((scoreMin) =>
  [0, 0.86].flatMap((joinedMin) =>
    [0, 0.86, 0.9].flatMap((longMin) =>
      [0, 0.84, 0.86, 0.88].map((waysMin) => ({ scoreMin, joinedMin, longMin, waysMin })),
    ),
  ),
);

const { values } = parseArgs({
  options: { readings: { type: 'string' }, cover: { type: 'string', default: '46' } },
});
const folder = process.env['QUESTIONS_DIR'];
if (values.readings === undefined || folder === undefined)
  throw new Error(
    'Set --readings to the output file of fit-bounds.mjs, and QUESTIONS_DIR to the folder of the questions',
  );
/** @type {Reading[]} */
const interpretations = readFileSync(values.readings, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
const requests = readTrainingSet(folder)
  .filter(({ isHeldOut }) => !isHeldOut)
  .map((database) => ({ fold: toFold(toDatabaseName(database), FOLDS), count: database.questions.length }));
/** @param {(fold: number) => boolean} isIn */
const countAsked = (isIn) =>
  requests.filter(({ fold }) => isIn(fold)).reduce((sum, { count }) => sum + count, 0);

const left = Array.from({ length: FOLDS }, (_, fold) => {
  const others = interpretations.filter(({ database }) => toFold(database, FOLDS) !== fold);
  const choice = choose(others, (countAsked((other) => other !== fold) * Number(values.cover)) / 100);
  return {
    choice,
    answered: listAnswered(
      interpretations.filter(({ database }) => toFold(database, FOLDS) === fold),
      choice,
    ),
  };
});
console.table(
  left.map(({ choice, answered }, fold) => ({
    fold,
    ...choice,
    ...judge(
      answered,
      'question',
      countAsked((other) => other === fold),
    ),
  })),
);
const all = countAsked(() => true);
console.table(
  WORDINGS.map((wording) => ({
    chosen: 'without the fifth',
    wording,
    ...judge(
      left.flatMap(({ answered }) => answered),
      wording,
      all,
    ),
  })),
);
console.table(
  WORDINGS.map((wording) => ({
    chosen: 'in use',
    wording,
    ...judge(listAnswered(interpretations, BOUNDS), wording, all),
  })),
);

/** @param {readonly Reading[]} list @param {Choice} choice */
function listAnswered(list, choice) {
  return list.filter(
    ({ measures, cost }) =>
      cost <= COST_MAX && scoreCandidate(measures) >= choice.scoreMin && !isDoubtful(measures, choice),
  );
}

/**
 * Selects the bounds with the best precision over all wordings. The original wording counts twice.
 * @param {readonly Reading[]} list
 * @param {number} rightMin
 */
function choose(list, rightMin) {
  const ranked = CHOICES.map((choice) => {
    const answered = listAnswered(list, choice);
    const sumWeights = (/** @type {readonly Reading[]} */ some) =>
      some.reduce((sum, { wording }) => sum + (wording === 'question' ? 1 : 0.5), 0);
    const right = answered.filter(({ isRight }) => isRight);
    return {
      choice,
      isEnough: right.filter(({ wording }) => wording === 'question').length >= rightMin,
      precision: sumWeights(right) / sumWeights(answered),
    };
  });
  return (
    (ranked.filter(({ isEnough }) => isEnough).sort((a, b) => b.precision - a.precision)[0] ?? ranked[0])
      ?.choice ?? BOUNDS
  );
}

/**
 * @param {readonly Reading[]} answered
 * @param {string} wording
 * @param {number} count the number of questions
 */
function judge(answered, wording, count) {
  const own = answered.filter((interpretation) => interpretation.wording === wording);
  const right = own.filter(({ isRight }) => isRight).length;
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) =>
    Math.round((10_000 * part) / Math.max(1, whole)) / 100;
  return {
    right,
    wrong: own.length - right,
    correctPercent: percent(right, count),
    precisionPercent: percent(right, own.length),
  };
}
