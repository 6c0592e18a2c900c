// @ts-check
/**
 * Prints the CPU time and allocations of the pure stages: `node --expose-gc --min-semi-space-size=64
 * --max-semi-space-size=64 bench/stages/run.mjs [--check]`. With `--check`, it fails when a stage exceeds
 * `budgets.json`.
 */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { measureStage } from './measure.mjs';
import { STAGES } from './stages.mjs';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
/** @type {Record<string, { cpuRatioMax: number, bytesMax: number } | undefined>} */
const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

/** The maximum number of attempts for a stage above its budget. */
const ATTEMPTS_MAX = 4;
const PAUSE_MS = 2_000;

/**
 * Returns the minimum of several attempts when the first one is above
 * the budget, since other processes can only increase a figure.
 * @param {import('./stages.mjs').Stage} stage
 */
async function measureWithin(stage) {
  const budget = budgets[stage.name];
  let { cpuRatio, bytes } = measureStage(stage);
  const isFinished = () => budget === undefined || cpuRatio > budget.cpuRatioMax || bytes > budget.bytesMax;
  for (let attempt = 1; attempt < ATTEMPTS_MAX && budget !== undefined && isFinished(); attempt += 1) {
    await setTimeout(PAUSE_MS);
    const again = measureStage(stage);
    [cpuRatio, bytes] = [Math.min(cpuRatio, again.cpuRatio), Math.min(bytes, again.bytes)];
  }
  return { cpuRatio, bytes, budget, isOver: isFinished() };
}

for (const stage of STAGES) {
  const { cpuRatio, bytes, budget, isOver: isFinished } = await measureWithin(stage);
  console.log(
    `${stage.name}: ${cpuRatio.toFixed(2)} of the reference (budget ${budget?.cpuRatioMax ?? 'none'}), ${bytes} bytes (budget ${budget?.bytesMax ?? 'none'})${isFinished ? ' OVER' : ''}`,
  );
  if (isFinished && values.check) process.exitCode = 1;
}
