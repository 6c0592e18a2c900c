// @ts-check
/**
 * Measures how long a lexicon of 500 tables takes, and a question over 50 tables:
 * `node bench/questions/lexicon-time.mjs`. Run it on an idle machine.
 */
import { answerQuestion, buildLexicon } from '@rowhouse/nl-engine';
import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';

const NOUNS = [
  'customer',
  'order',
  'product',
  'supplier',
  'invoice',
  'shipment',
  'employee',
  'store',
  'ticket',
  'course',
  'student',
  'teacher',
  'flight',
  'airport',
  'pilot',
  'song',
  'album',
  'artist',
  'film',
  'actor',
  'match',
  'team',
  'player',
  'patient',
  'doctor',
];
const KINDS = [
  '',
  '_archive',
  '_detail',
  '_note',
  '_status',
  '_region',
  '_plan',
  '_event',
  '_group',
  '_budget',
  '_report',
  '_draft',
  '_version',
  '_entry',
  '_level',
  '_line',
  '_link',
  '_batch',
  '_rule',
  '_site',
];
const QUESTIONS = [
  'How many customers are there?',
  'names of products with a price above 20',
  'number of orders per customer',
  'which supplier has the most products?',
  'students without courses',
  'average price of products by supplier',
  'the 3 oldest employees of each store',
  'albums released in 2020 by artists from Texas',
  'how many giraffes are there?',
  'names and prices of products ordered by price in descending order',
];

/** The number of rounds that count as the first ones of a process, before all code is compiled. */
const COLD_ROUNDS = 20;

/** @param {number} count the number of tables */
function makeLexicon(count) {
  const names = NOUNS.flatMap((noun) => KINDS.map((kind) => `${noun}${kind}`))
    .sort((a, b) => a.split('_').length - b.split('_').length)
    .slice(0, count);
  const id = rawColumn('id', 'int(11)');
  const tables = names.map((name, index) => {
    const parent = names[Math.floor(index / 3)] ?? name;
    const columns = [
      id,
      rawColumn('name', 'varchar(100)'),
      rawColumn('price', 'decimal(10,2)'),
      rawColumn('age', 'int(11)'),
      rawColumn('city', 'varchar(50)'),
      rawColumn('created_at', 'datetime'),
      rawColumn(`${parent}_id`, 'int(11)'),
      rawColumn('note_text', 'text'),
    ];
    return rawTable(
      name,
      columns,
      parent === name ? {} : { foreignKeys: [foreignKey(name, `${parent}_id`, parent)] },
    );
  });
  const snapshot = nameSnapshot({ engine: 'mariadb', tables }, null);
  const values = names.map((table, index) => ({
    table,
    column: 'city',
    values: Array.from({ length: 100 }, (_, value) => `Town ${(index * 7 + value) % 900}`),
  }));
  const fromMs = performance.now();
  const lexicon = buildLexicon({ snapshot, values, synonyms: [] });
  return { lexicon, elapsedMs: performance.now() - fromMs };
}

const built = [1, 2, 3].map(() => makeLexicon(500).elapsedMs);
console.log(`lexicon of 500 tables: ${Math.min(...built).toFixed(0)} ms (best of 3)`);
const { lexicon } = makeLexicon(50);
const timeQuestions = () =>
  QUESTIONS.map((question) => {
    const fromMs = performance.now();
    answerQuestion({ question, today: '2026-11-21' }, lexicon);
    return performance.now() - fromMs;
  });
const few = Array.from({ length: COLD_ROUNDS })
  .flatMap(timeQuestions)
  .sort((a, b) => a - b);
const times = Array.from({ length: 40 })
  .flatMap(timeQuestions)
  .sort((a, b) => a - b);
const at95 = (/** @type {readonly number[]} */ sorted) =>
  sorted[Math.floor(sorted.length * 0.95)]?.toFixed(1);
console.log(
  `question over 50 tables: median ${times[times.length >> 1]?.toFixed(1)} ms, p95 ${at95(times)} ms; p95 of the first ${few.length} questions of a process ${at95(few)} ms`,
);
