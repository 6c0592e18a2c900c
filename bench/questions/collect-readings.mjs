// @ts-check
import { buildLexicon, listMeasured } from '@rowhouse/nl-engine';
import { writeNamesExactly } from './gold-literals.mjs';
import { isRight, TODAY } from './judge.mjs';
import { loadDatabase } from './load-databases.mjs';

/**
 * What the engine may make of one question, the cheapest first, and which of it is right. Of a question that was put to a
 * database that it is not about, nothing is.
 *
 * @typedef {{ database: string, wording: 'question' | 'reworded', isForeign: boolean, candidates: { measures: Readonly<Record<string, number>>, isRight: boolean }[] }} Reading
 */

const CANDIDATES_MAX = 4;

/**
 * Every question of the databases that are tuned on.
 *
 * @param {import('@rowhouse/mysql').AdminConnection} connection
 * @param {import('mysql2/promise').Connection} reader
 * @param {readonly import('./training-set.mjs').TrainingDatabase[]} databases
 * @returns {Promise<Reading[]>}
 */
export async function collectReadings(connection, reader, databases) {
  /** @type {Reading[]} */
  const readings = [];
  /** @type {import('./training-set.mjs').TrainingDatabase | null} */
  let last = null;
  for (const database of databases.filter(({ isHeldOut }) => !isHeldOut)) {
    const loaded = await loadDatabase(connection, reader, database);
    const lexicon = buildLexicon({ snapshot: loaded.snapshot, values: loaded.values, synonyms: [] });
    for (const { text, wording, sql, at } of listTexts(database)) {
      const gold = loaded.gold[at];
      if (gold === null || gold === undefined) continue;
      const candidates = [];
      for (const one of listMeasured({ question: text, today: TODAY }, lexicon, CANDIDATES_MAX)) {
        candidates.push({ measures: one.measures, isRight: await isRight(reader, loaded.name, { goldSql: writeNamesExactly(database.schema, sql), gold }, one) });
      }
      readings.push({ database: loaded.name, wording, isForeign: false, candidates });
    }
    if (last !== null && !sharesTables(last, database)) readings.push(...listTexts(last).map(({ text, wording }) => ({ database: loaded.name, wording, isForeign: true, candidates: listMeasured({ question: text, today: TODAY }, lexicon, 1).map(({ measures }) => ({ measures, isRight: false })) })));
    last = database;
  }
  return readings.filter(({ candidates }) => candidates.length > 0);
}

/** @param {import('./training-set.mjs').TrainingDatabase} database */
function listTexts({ questions }) {
  return questions.flatMap(({ question, question_reworded: reworded, sql }, at) => /** @type {const} */ ([['question', question], ['reworded', reworded]]).map(([wording, text]) => ({ text, wording, sql, at })));
}

/** @param {import('./training-set.mjs').TrainingDatabase} a @param {import('./training-set.mjs').TrainingDatabase} b */
function sharesTables(a, b) {
  const names = new Set(a.schema.tables.map(({ name }) => name.toLowerCase()));
  return b.schema.tables.some(({ name }) => names.has(name.toLowerCase()));
}
