// @ts-check
import { buildLexicon, measureBest } from '@rowhouse/nl-engine';
import { writeNamesExactly } from './gold-literals.mjs';
import { isRight, TODAY } from './judge.mjs';
import { loadDatabase } from './load-databases.mjs';

/**
 * The cheapest statement for one question, what is known of it, and whether it is right.
 * @typedef {{ database: string, wording: 'question' | 'reworded', measures: Readonly<Record<string, number>>, cost: number, score: number, isDoubtful: boolean, isRight: boolean }} Reading
 */

/**
 * Every question of the databases that are tuned on, in both wordings, that any statement is found for.
 *
 * @param {import('@rowhouse/mysql').AdminConnection} connection
 * @param {import('mysql2/promise').Connection} reader
 * @param {readonly import('./training-set.mjs').TrainingDatabase[]} databases
 * @returns {Promise<Reading[]>}
 */
export async function collectReadings(connection, reader, databases) {
  /** @type {Reading[]} */
  const readings = [];
  for (const database of databases.filter(({ isHeldOut }) => !isHeldOut)) {
    const loaded = await loadDatabase(connection, reader, database);
    const lexicon = buildLexicon({ snapshot: loaded.snapshot, values: loaded.values, synonyms: [] });
    for (const [at, { question, question_reworded: reworded, sql }] of database.questions.entries()) {
      const gold = loaded.gold[at];
      if (gold === null || gold === undefined) continue;
      const goldSql = writeNamesExactly(database.schema, sql);
      for (const [wording, text] of /** @type {const} */ ([['question', question], ['reworded', reworded]])) {
        const best = measureBest({ question: text, today: TODAY }, lexicon);
        if (best !== null) readings.push({ database: loaded.name, wording, measures: best.measures, cost: best.cost, score: best.score, isDoubtful: best.isDoubtful, isRight: await isRight(reader, loaded.name, { goldSql, gold }, best) });
      }
    }
  }
  return readings;
}
