// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ name: string, type: string, words: string }} TrainingColumn
 * @typedef {{ name: string, words: string, columns: TrainingColumn[], primary_key: string[] }} TrainingTable
 * @typedef {{ db_id: string, tables: TrainingTable[], foreign_keys: { from: [string, string], to: [string, string] }[] }} TrainingSchema
 * @typedef {{ db_id: string, question: string, question_reworded: string, sql: string }} TrainingQuestion
 * @typedef {{ schema: TrainingSchema, isHeldOut: boolean, questions: TrainingQuestion[] }} TrainingDatabase
 */

/**
 * Reads the training questions of each database.
 * Some databases are held out of tuning. A hash of a salt and the database name selects them.
 * @param {string} folder the folder with `schemas.json` and `questions.jsonl`
 * @returns {TrainingDatabase[]}
 */
export function readTrainingSet(folder) {
  /** @type {TrainingSchema[]} */
  const schemas = JSON.parse(readFileSync(join(folder, 'schemas.json'), 'utf8'));
  /** @type {TrainingQuestion[]} */
  const questions = readFileSync(join(folder, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  /** @type {Map<string, TrainingQuestion[]>} */
  const byDatabase = new Map();
  for (const question of questions.map(writeAsAsked))
    byDatabase.set(question.db_id, [...(byDatabase.get(question.db_id) ?? []), question]);
  return schemas.map((schema) => ({
    schema,
    isHeldOut: isHeldOut(schema.db_id),
    questions: byDatabase.get(schema.db_id) ?? [],
  }));
}

/**
 * Restores texts of a gold query as in the question, since the training set writes `"a, b"` as `"a , b"`.
 * @param {TrainingQuestion} requested
 */
function writeAsAsked(requested) {
  const toAsked = (/** @type {string} */ text) => text.replace(/\s+,\s+/g, ', ');
  return {
    ...requested,
    sql: requested.sql.replace(/"[^"]*"|'[^']*'/g, (text) =>
      requested.question.includes(toAsked(text.slice(1, -1))) ? toAsked(text) : text,
    ),
  };
}

/**
 * The salt of the hash. It was replaced whenever failures of held-out databases had been read, because these
 * databases then count as tuning databases.
 */
const SECOND = 'held out, second choice: ';
const THIRD = 'held out, third choice: ';

/**
 * Selects every fourth database of the second choice, none of which has been inspected since.
 * @param {string} name
 */
export function isHeldOut(name) {
  return isHashDivisible(`${SECOND}${name}`, 5n) && isHashDivisible(`${THIRD}${name}`, 4n);
}

/** @param {string} text @param {bigint} by */
function isHashDivisible(text, by) {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`) % by === 0n;
}
