// @ts-check
/**
 * `node --expose-gc --min-semi-space-size=64 --max-semi-space-size=64 bench/stages/run.mjs [--check]`: CPU and allocations of the pure stages.
 * With `--check` it fails where a stage takes more than `budgets.json` allows.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureStage } from './measure.mjs';
import { STAGES } from './stages.mjs';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
/** @type {Record<string, { cpuRatioMax: number, bytesMax: number } | undefined>} */
const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

for (const stage of STAGES) {
  const { name, cpuRatio, bytes } = measureStage(stage);
  const budget = budgets[name];
  const isOver = budget === undefined || cpuRatio > budget.cpuRatioMax || bytes > budget.bytesMax;
  console.log(`${name}: ${cpuRatio.toFixed(2)} of the reference (${budget?.cpuRatioMax ?? 'no budget'} allowed), ${bytes} bytes (${budget?.bytesMax ?? 'no budget'} allowed)${isOver ? ' OVER' : ''}`);
  if (isOver && values.check) process.exitCode = 1;
}
