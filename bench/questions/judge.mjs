// @ts-check
import { answerQuestion } from '@rowhouse/nl-engine';
import { isSameResult } from './compare-answers.mjs';
import { writeNamesExactly } from './databases/gold-literals.mjs';
import { runQuery } from './databases/load-databases.mjs';

/**
 * @typedef {'right' | 'wrong' | 'ambiguous' | 'refused'} Finding
 * @typedef {{ finding: Finding, isHeldOut: boolean, wording: 'question' | 'reworded', database: string,
 *   question: string, gold: string, sql: string, elapsedMs: number }} Verdict
 */

/** The current day of the questions. */
export const TODAY = '2026-01-15';

/**
 * Asks every question of one database in both wordings.
 * Questions whose gold query the server rejects are left out.
 * @param {import('mysql2/promise').Connection} reader
 * @param {import('./databases/training-set.mjs').TrainingDatabase} database
 * @param {import('./databases/load-databases.mjs').LoadedDatabase} loaded
 * @param {import('@rowhouse/nl-engine').Lexicon} lexicon
 * @returns {Promise<Verdict[]>}
 */
export async function judgeDatabase(reader, database, loaded, lexicon) {
  /** @type {Verdict[]} */
  const verdicts = [];
  for (const [index, { question, question_reworded: reworded, sql }] of database.questions.entries()) {
    const gold = loaded.gold[index];
    if (gold === null || gold === undefined) continue;
    for (const [wording, text] of /** @type {const} */ ([
      ['question', question],
      ['reworded', reworded],
    ])) {
      const fromMs = performance.now();
      const outcome = answerQuestion({ question: text, today: TODAY }, lexicon);
      const elapsedMs = performance.now() - fromMs;
      const base = {
        isHeldOut: database.isHeldOut,
        wording,
        database: loaded.name,
        question: text,
        gold: sql.replace(/\s+/g, ' '),
        elapsedMs,
      };
      if (outcome.kind === 'answer')
        verdicts.push({
          finding: (await isRight(
            reader,
            loaded.name,
            { goldSql: writeNamesExactly(database.schema, sql), gold },
            outcome,
          ))
            ? 'right'
            : 'wrong',
          ...base,
          sql: outcome.sql,
        });
      else verdicts.push({ finding: outcome.kind, ...base, sql: '' });
    }
  }
  return verdicts;
}

/**
 * Asks one database's questions about an unrelated database. Returns the questions that get an answer,
 * because every such answer is wrong.
 * @param {import('./databases/training-set.mjs').TrainingDatabase} database
 * @param {import('@rowhouse/nl-engine').Lexicon} foreign
 * @returns {string[]}
 */
export function listFalseAnswers({ questions }, foreign) {
  return questions
    .flatMap(({ question, question_reworded: reworded }) => [question, reworded])
    .filter((text) => answerQuestion({ question: text, today: TODAY }, foreign).kind === 'answer');
}

/**
 * @param {import('mysql2/promise').Connection} reader
 * @param {string} database
 * @param {{ goldSql: string, gold: string[][] }} wanted
 * @param {Pick<import('@rowhouse/nl-engine').Answer, 'sql' | 'params' | 'tieBreakers'>} reply
 */
export async function isRight(reader, database, { goldSql, gold }, reply) {
  // The question asks for no order among equal rows, so both queries get the same tie breakers.
  const own =
    reply.tieBreakers.length === 0
      ? reply.sql
      : reply.sql.replace(`, ${reply.tieBreakers.join(', ')} LIMIT `, ' LIMIT ');
  const [goldTie, ownTie] = [breakTies(goldSql), breakTies(own)];
  const [requested, found] =
    goldTie === null || ownTie === null
      ? [null, null]
      : [await runQuery(reader, database, goldTie), await runQuery(reader, database, ownTie, reply.params)];
  const isOrdered = /order by/i.test(goldSql);
  if (requested !== null && found !== null) return isSameResult(requested, found, isOrdered);
  const plain = await runQuery(reader, database, reply.sql, reply.params);
  return plain !== null && isSameResult(gold, plain, isOrdered);
}

/**
 * Sorts ties by the shown columns, since the question does not say
 * which of several equal rows comes first or is within the LIMIT.
 * @param {string} sql
 */
function breakTies(sql) {
  const match = /^(.*?)( LIMIT \d+)?\s*;?$/is.exec(sql.trim());
  if (match?.[1] === undefined || !/order by[^()]*(?:\([^()]*\)[^()]*)*(?:\(.*\)[^()]*)?$/is.test(match[1]))
    return null;
  const columns = match[1].slice(0, match[1].search(/\bfrom\b/i)).split(',').length;
  return `${match[1]}, ${Array.from({ length: columns }, (_, index) => index + 1).join(', ')}${match[2] ?? ''}`;
}

/** @param {readonly Verdict[]} verdicts */
export function sumUp(verdicts) {
  const count = (/** @type {Finding} */ finding) =>
    verdicts.filter((verdict) => verdict.finding === finding).length;
  const [right, wrong] = [count('right'), count('wrong')];
  const times = verdicts.map((verdict) => verdict.elapsedMs).sort((a, b) => a - b);
  return {
    questions: verdicts.length,
    right,
    wrong,
    ambiguous: count('ambiguous'),
    refused: count('refused'),
    correctPercent: percent(right, verdicts.length),
    precisionPercent: percent(right, right + wrong),
    p95Ms: Math.round((times[Math.floor(times.length * 0.95)] ?? 0) * 10) / 10,
  };
}

/**
 * Sums the totals of several sets, and takes the longest of their times.
 * @param {readonly ReturnType<typeof sumUp>[]} sets
 * @returns {ReturnType<typeof sumUp>}
 */
export function addUp(sets) {
  const sum = (/** @type {'questions' | 'right' | 'wrong' | 'ambiguous' | 'refused'} */ member) =>
    sets.reduce((total, item) => total + item[member], 0);
  const [questions, right, wrong] = [sum('questions'), sum('right'), sum('wrong')];
  return {
    questions,
    right,
    wrong,
    ambiguous: sum('ambiguous'),
    refused: sum('refused'),
    correctPercent: percent(right, questions),
    precisionPercent: percent(right, right + wrong),
    p95Ms: Math.max(...sets.map(({ p95Ms }) => p95Ms)),
  };
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
  return whole === 0 ? 0 : Math.round((1_000 * part) / whole) / 10;
}
