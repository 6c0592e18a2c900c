import { expect, it } from 'vitest';
import { fitWeights, scoreUnseen } from './fit-logistic.mjs';

const make = (/** @type {number} */ index, /** @type {number} */ doubt) => ({
  database: `d${index % 10}`,
  measures: { doubt, noise: index % 3 },
  isRight: doubt === 0 ? index % 20 !== 0 : index % 4 === 0,
  weight: 1,
});
const examples = Array.from({ length: 400 }, (_, index) => make(index, Math.floor(index / 7) % 2));
const fit = { names: ['doubt', 'noise'], prior: [0, 0, 0], damping: 1 };

it('fitWeights gives a negative weight to a feature of wrong statements', () => {
  const [constant = 0, doubt = 0, noise = 1] = fitWeights(examples, fit);
  expect(constant).toBeGreaterThan(1);
  expect(doubt).toBeLessThan(-1);
  expect(Math.abs(noise)).toBeLessThan(0.5);
});

it('fitWeights keeps the previous weights if the regularization is strong', () => {
  expect(fitWeights(examples, { ...fit, prior: [0, 2, 0], damping: 1e9 })[1]).toBeCloseTo(2, 3);
});

it('scoreUnseen scores an example with weights trained without its own schema', () => {
  const scores = scoreUnseen(examples, fit, 5);
  expect(scores).toHaveLength(examples.length);
  expect(scores[0] ?? 0).toBeGreaterThan(scores[7] ?? 1);
});
