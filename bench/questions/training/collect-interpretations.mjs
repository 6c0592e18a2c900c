// @ts-check
import { buildLexicon, measureBest } from '@rowhouse/nl-engine';
import { writeNamesExactly } from '../databases/gold-literals.mjs';
import { chooseName, hideName } from '../databases/hide-name.mjs';
import { isRight, TODAY } from '../judge.mjs';
import { loadDatabase } from '../databases/load-databases.mjs';

/**
 * The cheapest statement for a question with its features and its correctness.
 * `hidden` is the original wording over a schema in which one name of the gold query was replaced.
 * @typedef {{ database: string, wording: 'question' | 'reworded' | 'hidden', measures:
 *   Readonly<Record<string, number>>, cost: number, score: number, isDoubtful: boolean, isRight: boolean }}
 *   Reading
 */

/**
 * Collects the cheapest statement of every question over the tuning databases, in both wordings and once with
 * a hidden name. Questions without a statement are left out.
 * @param {import('@rowhouse/mysql').AdminConnection} connection
 * @param {import('mysql2/promise').Connection} reader
 * @param {readonly import('../databases/training-set.mjs').TrainingDatabase[]} databases
 * @returns {Promise<Reading[]>}
 */
export async function collectInterpretations(connection, reader, databases) {
  /** @type {Reading[]} */
  const interpretations = [];
  for (const database of databases.filter(({ isHeldOut }) => !isHeldOut)) {
    const loaded = await loadDatabase(connection, reader, database);
    const open = {
      lexicon: buildLexicon({ snapshot: loaded.snapshot, values: loaded.values, synonyms: [] }),
      reveal: (/** @type {string} */ sql) => sql,
    };
    const hide = cacheHiddenLexicons(loaded);
    for (const [index, requested] of database.questions.entries()) {
      const gold = loaded.gold[index];
      if (gold === null || gold === undefined) continue;
      const goldSql = writeNamesExactly(database.schema, requested.sql);
      const hidden = hide(requested);
      const methods = [
        /** @type {const} */ (['question', requested.question, open]),
        /** @type {const} */ (['reworded', requested.question_reworded, open]),
        ...(hidden === null ? [] : [/** @type {const} */ (['hidden', requested.question, hidden])]),
      ];
      for (const [wording, text, { lexicon, reveal }] of methods) {
        const best = measureBest({ question: text, today: TODAY }, lexicon);
        if (best === null) continue;
        const statement = { ...best, sql: reveal(best.sql), tieBreakers: best.tieBreakers.map(reveal) };
        interpretations.push({
          database: loaded.name,
          wording,
          measures: best.measures,
          cost: best.cost,
          score: best.score,
          isDoubtful: best.isDoubtful,
          isRight: await isRight(reader, loaded.name, { goldSql, gold }, statement),
        });
      }
    }
  }
  return interpretations;
}

/**
 * Returns a function that builds the lexicon for a hidden name and caches it.
 * @param {import('../databases/load-databases.mjs').LoadedDatabase} loaded
 */
function cacheHiddenLexicons(loaded) {
  /**
   * @type {Map<string, { lexicon: import('@rowhouse/nl-engine').Lexicon, reveal: (sql: string) => string }>}
   */
  const known = new Map();
  return (/** @type {import('../databases/training-set.mjs').TrainingQuestion} */ requested) => {
    const item = chooseName(loaded.snapshot, requested);
    if (item === null) return null;
    const key = JSON.stringify(item);
    const found = known.get(key) ?? makeHidden(loaded, item);
    known.set(key, found);
    return found;
  };
}

/**
 * @param {import('../databases/load-databases.mjs').LoadedDatabase} loaded
 * @param {import('../databases/hide-name.mjs').Item} item
 */
function makeHidden(loaded, item) {
  const { snapshot, values, reveal } = hideName(loaded, item);
  return { lexicon: buildLexicon({ snapshot, values, synonyms: [] }), reveal };
}
