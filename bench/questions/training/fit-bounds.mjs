// @ts-check
/**
 * Evaluates the bounds in `answer/score-candidate.ts` on the questions over schemas that are not held out:
 * `QUESTIONS_DIR=… node bench/questions/training/fit-bounds.mjs [--readings file]`.
 *
 * For every pair of a minimum score and a maximum cost, it prints how many questions are answered correctly,
 * and the share of correct answers. `--readings` writes the collected data to a file, or reads them when the
 * file exists. The same data always give the same table.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openAdminConnection } from '@rowhouse/mysql';
import { createTerminalReport } from '@rowhouse/local/report';
import { startTestServers } from '@rowhouse/test-servers/start-test-servers';
import { collectInterpretations } from './collect-interpretations.mjs';
import { openReader } from '../databases/load-databases.mjs';
import { readTrainingSet } from '../databases/training-set.mjs';

/** @typedef {import('./collect-interpretations.mjs').Reading} Reading */

const SCORES = [0.7, 0.74, 0.77, 0.8, 0.83, 0.86, 0.88, 0.9];
const COSTS = [1, 1.35, 1.7, 2];

const { values } = parseArgs({ options: { readings: { type: 'string' } } });
const folder = process.env['QUESTIONS_DIR'];
if (folder === undefined || !existsSync(folder)) {
  console.error('SKIPPED: QUESTIONS_DIR must be a folder with schemas.json and questions.jsonl');
  process.exit(0);
}
const interpretations = await getReadings(folder);
for (const wording of /** @type {const} */ (['question', 'reworded', 'hidden']))
  console.table(
    COSTS.flatMap((costMax) =>
      SCORES.map((scoreMin) =>
        judgeBounds(
          interpretations.filter((interpretation) => interpretation.wording === wording),
          { wording, scoreMin, costMax },
        ),
      ),
    ),
  );

/** @param {string} from @returns {Promise<Reading[]>} */
async function getReadings(from) {
  if (values.readings !== undefined && existsSync(values.readings))
    return readFileSync(values.readings, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const { servers, stop } = await startTestServers({ report: createTerminalReport() });
  try {
    const connection = await openAdminConnection(servers.mysql);
    const reader = await openReader(servers.mysql);
    const collected = await collectInterpretations(connection, reader, readTrainingSet(from));
    await reader.end();
    await connection.close();
    if (values.readings !== undefined)
      writeFileSync(
        values.readings,
        collected.map((interpretation) => JSON.stringify(interpretation)).join('\n'),
      );
    return collected;
  } finally {
    await stop();
  }
}

/** @param {readonly Reading[]} list @param {{ wording: string, scoreMin: number, costMax: number }} bounds */
function judgeBounds(list, { wording, scoreMin, costMax }) {
  const answered = list.filter(
    ({ cost, score, isDoubtful }) => cost <= costMax && score >= scoreMin && !isDoubtful,
  );
  const right = answered.filter(({ isRight }) => isRight).length;
  return {
    wording,
    scoreMin,
    costMax,
    read: list.length,
    answered: answered.length,
    right,
    precisionPercent: Math.round((1_000 * right) / Math.max(1, answered.length)) / 10,
  };
}
