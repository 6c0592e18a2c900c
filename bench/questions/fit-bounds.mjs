// @ts-check
/**
 * `QUESTIONS_DIR=… node bench/questions/fit-bounds.mjs [--readings file]`: what the bounds in `answer/score-candidate.ts` are worth over the
 * questions whose schemas are not held out: how many are answered rightly, and how many of the answers are right, for every pair of a least
 * score and a greatest nearness of the next reading. `--readings` keeps what was collected, or takes what was kept. Nothing is drawn by lot:
 * the same readings give the same table.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openAdminConnection } from '@rowhouse/mysql';
import { createTerminalReport } from '@rowhouse/local/report';
import { startTestServers } from '@rowhouse/local/start-test-servers';
import { collectReadings } from './collect-readings.mjs';
import { openReader } from './load-databases.mjs';
import { readTrainingSet } from './training-set.mjs';

/** @typedef {import('./collect-readings.mjs').Reading} Reading */

const SCORES = [0.7, 0.75, 0.8, 0.83, 0.86, 0.88, 0.9, 0.92];
const NEARS = [0.5, 0.35, 0.25];
/** As in `answer-question.ts`: what costs more is never answered. */
const COST_MAX = 1.35;

const { values } = parseArgs({ options: { readings: { type: 'string' } } });
const folder = process.env['QUESTIONS_DIR'];
if (folder === undefined || !existsSync(folder)) {
  console.error('SKIPPED: QUESTIONS_DIR names no folder with schemas.json and questions.jsonl');
  process.exit(0);
}
const readings = await getReadings(folder);
for (const wording of /** @type {const} */ (['question', 'reworded'])) console.table(NEARS.flatMap((nearMax) => SCORES.map((scoreMin) => judgeBounds(readings.filter((reading) => reading.wording === wording), { wording, scoreMin, nearMax }))));

/** @param {string} from @returns {Promise<Reading[]>} */
async function getReadings(from) {
  if (values.readings !== undefined && existsSync(values.readings)) return readFileSync(values.readings, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  const { servers, stop } = await startTestServers({ report: createTerminalReport() });
  try {
    const connection = await openAdminConnection(servers.mysql);
    const reader = await openReader(servers.mysql);
    const collected = await collectReadings(connection, reader, readTrainingSet(from));
    await reader.end();
    await connection.close();
    if (values.readings !== undefined) writeFileSync(values.readings, collected.map((reading) => JSON.stringify(reading)).join('\n'));
    return collected;
  } finally {
    await stop();
  }
}

/** @param {readonly Reading[]} list @param {{ wording: string, scoreMin: number, nearMax: number }} bounds */
function judgeBounds(list, { wording, scoreMin, nearMax }) {
  const answered = list.filter(({ cost, score, measures }) => cost <= COST_MAX && score >= scoreMin && (measures['near'] ?? 0) <= nearMax && measures['untouched'] === 0 && measures['loose'] === 0 && measures['unsaidOr'] === 0);
  const right = answered.filter(({ isRight }) => isRight).length;
  return { wording, scoreMin, nearMax, read: list.length, answered: answered.length, right, precisionPercent: Math.round((1_000 * right) / Math.max(1, answered.length)) / 10 };
}
