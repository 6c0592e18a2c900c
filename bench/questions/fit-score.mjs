// @ts-check
/**
 * `QUESTIONS_DIR=… node bench/questions/fit-score.mjs [--readings file] [--write]`: fits the score of a reading on the questions whose schemas
 * are not held out, tells what it is worth by cross-validation over schemas, and writes it down. `--readings` keeps what was collected, or
 * takes what was kept. The same readings give the same trees, byte for byte.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openAdminConnection } from '@rowhouse/mysql';
import { createTerminalReport } from '@rowhouse/local/report';
import { startTestServers } from '@rowhouse/local/start-test-servers';
import { growForest, predict } from './boosted-trees.mjs';
import { collectReadings } from './collect-readings.mjs';
import { openReader } from './load-databases.mjs';
import { readTrainingSet } from './training-set.mjs';

/** @typedef {import('./collect-readings.mjs').Reading} Reading */

const SETTINGS = { trees: 70, depth: 3, rate: 0.1, leafMin: 25, damping: 3 };
const FOLDS = 5;
/** What readings behind the cheapest, and those of questions put to the wrong database, weigh beside the cheapest. */
const [OTHER_WEIGHT, FOREIGN_WEIGHT] = [0.5, 0.3];
/** Measures that say more about the taste of the gold queries than about understanding. */
const LEFT_OUT = new Set(['keyTargets']);
const PRECISIONS = [0.97, 0.96, 0.95, 0.94, 0.92, 0.9];
const TARGET = fileURLToPath(new URL('../../libs/nl-engine/src/answer/score-trees.ts', import.meta.url));

const { values } = parseArgs({ options: { readings: { type: 'string' }, write: { type: 'boolean', default: false } } });
const folder = process.env['QUESTIONS_DIR'];
if (folder === undefined || !existsSync(folder)) {
  console.error('SKIPPED: QUESTIONS_DIR names no folder with schemas.json and questions.jsonl');
  process.exit(0);
}
fit(await getReadings(folder));

/** @param {string} from @returns {Promise<Reading[]>} */
async function getReadings(from) {
  if (values.readings !== undefined && existsSync(values.readings)) return readFileSync(values.readings, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  const { servers, stop } = await startTestServers({ report: createTerminalReport() });
  try {
    const connection = await openAdminConnection(servers.mysql);
    const reader = await openReader(servers.mysql);
    const readings = await collectReadings(connection, reader, readTrainingSet(from));
    await reader.end();
    await connection.close();
    if (values.readings !== undefined) writeFileSync(values.readings, readings.map((reading) => JSON.stringify(reading)).join('\n'));
    return readings;
  } finally {
    await stop();
  }
}

/** @param {readonly Reading[]} readings */
function fit(readings) {
  const names = [...new Set(readings.flatMap(({ candidates }) => candidates.flatMap(({ measures }) => Object.keys(measures))))].filter((name) => !LEFT_OUT.has(name)).sort();
  const samples = readings.flatMap((reading) => reading.candidates.map(({ measures, isRight }, rank) => ({
    values: names.map((name) => measures[name] ?? 0), isRight, weight: reading.isForeign ? FOREIGN_WEIGHT : rank === 0 ? 1 : OTHER_WEIGHT, reading, rank, fold: foldOf(reading.database), score: 0,
  })));
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const forest = growForest(samples.filter((sample) => sample.fold !== fold), SETTINGS);
    for (const sample of samples) if (sample.fold === fold) sample.score = predict(forest, sample.values);
  }
  for (const wording of ['question', 'reworded']) tell(wording, samples.filter(({ reading, rank }) => reading.wording === wording && rank === 0));
  if (!values.write) return;
  const forest = growForest(samples, SETTINGS);
  writeFileSync(TARGET, toSource(names, forest));
  console.log(`Written: ${TARGET}`);
}

/** All questions of a schema are in one fold. @param {string} database */
function foldOf(database) {
  return (createHash('sha256').update(`fold: ${database}`).digest()[0] ?? 0) % FOLDS;
}

/** How many of the readings are answered, and rightly, where the score has to be so high that so many answers are right. @param {string} wording @param {readonly { score: number, isRight: boolean, reading: Reading }[]} cheapest */
function tell(wording, cheapest) {
  const own = cheapest.filter(({ reading }) => !reading.isForeign).toSorted((a, b) => b.score - a.score);
  const foreign = cheapest.filter(({ reading }) => reading.isForeign);
  console.table(PRECISIONS.map((precision) => {
    let [right, best] = [0, { right: 0, score: 1 }];
    for (const [at, { score, isRight }] of own.entries()) {
      if (isRight) right += 1;
      if (right / (at + 1) >= precision) best = { right, score };
    }
    return { wording, precision, score: Math.round(best.score * 100) / 100, right: best.right, ofRead: own.length, foreign: foreign.filter(({ score }) => score >= best.score).length, ofForeign: foreign.length };
  }));
}

/** @param {readonly string[]} names @param {import('./boosted-trees.mjs').Forest} forest */
function toSource(names, { bias, trees }) {
  return [
    '// Written by bench/questions/fit-score.mjs: fitted, not edited. docs/adr tells what it is.',
    `export const MEASURE_NAMES: readonly string[] = ${toList(names.map((name) => `'${name}'`))};`,
    '',
    '/** What a statement starts from. */',
    `export const BIAS = ${bias};`,
    '',
    '/** Each a tree, three cuts deep: seven pairs of a measure and its bound, level by level, then what each of the eight ends adds. */',
    'export const TREES: readonly (readonly number[])[] = [',
    ...trees.map((tree) => `  [${flatten(tree).join(', ')}],`),
    '];',
    '',
  ].join('\n');
}

/** @param {readonly string[]} list */
function toList(list) {
  return `[\n  ${list.join(', ')},\n]`;
}

/** A tree that ends early goes on with cuts that change nothing. @param {import('./boosted-trees.mjs').Node} root */
function flatten(root) {
  /** @type {number[]} */
  const cuts = [];
  let level = [root];
  for (let depth = 0; depth < SETTINGS.depth; depth += 1) {
    cuts.push(...level.flatMap((node) => ('leaf' in node ? [0, 0] : [node.measure, node.bound])));
    level = level.flatMap((node) => ('leaf' in node ? [node, node] : [node.below, node.above]));
  }
  return [...cuts, ...level.map((node) => ('leaf' in node ? node.leaf : 0))];
}
