// @ts-check
/** Texts for the SQL guard: typical statements of 2 KB, and the most expensive ones of 16 KB. */

export const TABLES = Array.from({ length: 200 }, (_, index) =>
  index === 0 ? 'users' : index === 1 ? 'posts' : `table_number_${index}`,
);
const COLUMNS = ['id', 'username', 'email', 'bio', 'created_at'];

/**
 * @param {number} bytes
 * @param {(index: number) => string} chunk
 * @param {string} head
 * @param {string} [tail]
 */
function fill(bytes, chunk, head, tail = '') {
  let text = head;
  for (let index = 0; text.length + chunk(index).length + tail.length <= bytes; index += 1)
    text += chunk(index);
  return text + tail;
}

/** @param {number} iteration makes each text different */
export function makeUsual(iteration) {
  const n = iteration % 97;
  return (
    [
      () =>
        fill(
          2_048,
          (index) => ` OR (u.id = ${index + n} AND u.username LIKE 'name%${index}')`,
          'SELECT u.id, u.username FROM users u WHERE 1 = 0',
          ' ORDER BY u.id LIMIT 10',
        ),
      () =>
        fill(
          2_048,
          (index) => `, COALESCE(SUM(CASE WHEN p.id > ${index + n} THEN 1 ELSE 0 END), 0) AS c${index}`,
          'SELECT u.id',
          ' FROM users u LEFT JOIN posts p ON p.user_id = u.id GROUP BY u.id',
        ),
      () =>
        fill(
          2_048,
          (index) => `, x${index} AS (SELECT id, username FROM users WHERE id > ${n})`,
          'WITH x AS (SELECT 1 AS id)',
          ' SELECT * FROM x',
        ),
      () =>
        fill(
          2_048,
          (index) =>
            ` UNION ALL SELECT id, ROW_NUMBER() OVER (PARTITION BY username ORDER BY id) FROM table_number_${2 + ((index + n) % 150)}`,
          'SELECT id, 1 FROM users',
        ),
      () =>
        fill(
          2_048,
          (index) => ` JOIN table_number_${2 + index} t${index} ON t${index}.id = u.id`,
          `SELECT u.id + ${n} FROM users u`,
        ),
    ][iteration % 5]?.() ?? ''
  );
}

const SIZE = 16 * 1024;

/** @type {readonly [string, string][]} */
export const WORST = [
  [
    'parentheses, as deep as they may be',
    fill(SIZE, () => ` + ${'('.repeat(63)}1${')'.repeat(63)}`, 'SELECT 1'),
  ],
  ['as many tokens as there may be', fill(SIZE, () => ',1', 'SELECT 1').slice(0, 7_900)],
  ['one long literal', fill(SIZE, () => "\\'''x", "SELECT '", "'")],
  ['many literals', fill(SIZE, () => ",'\\\\'", 'SELECT 1').slice(0, 15_000)],
  ['comments', fill(SIZE, (index) => `/*${index}*/ -- ${index}\n`, 'SELECT 1 ')],
  ['long names', fill(SIZE, (index) => `, ${'n'.repeat(60)}${index}`, 'SELECT id', ' FROM users')],
  ['names with a qualifier', fill(SIZE, (index) => `, u.c${index}`, 'SELECT u.id', ' FROM users u')],
  ['WITH in WITH', `${'WITH RECURSIVE a AS ('.repeat(60)}SELECT 1${') SELECT * FROM a'.repeat(60)}`],
  [
    'many of WITH',
    fill(SIZE, (index) => `, a${index} AS (SELECT 1)`, 'WITH RECURSIVE a AS (SELECT 1)', ' SELECT * FROM a'),
  ],
  ['many unions', fill(SIZE, () => ' UNION SELECT 1', 'SELECT 1')],
  ['a name near many', fill(SIZE, () => ' ', 'SELECT * FROM table_numbr_77')],
  ['many parameters', fill(SIZE, () => ',?', 'SELECT ?').slice(0, 7_900)],
  [
    'aliases that tables out of reach have',
    fill(
      SIZE,
      (index) => `, (SELECT 1) hidden_${index % 40}`,
      'SELECT hidden_1.x FROM (SELECT 1 AS x) hidden_1',
    ),
  ],
  ['two-byte letters', fill(SIZE / 2 - 20, () => 'é', "SELECT '", "'")],
  ['calls in calls', fill(SIZE, () => `,${'ABS('.repeat(60)}1${')'.repeat(60)}`, 'SELECT 1')],
  ['index hints', fill(SIZE, () => ' USE INDEX (PRIMARY)', 'SELECT * FROM users')],
];

export const OPTIONS = {
  tables: TABLES,
  hiddenNames: Array.from({ length: 40 }, (_, index) => `hidden_${index}`),
  schemaName: 'pabcdefghijklmnop',
};
export const ROUTE_SCHEMA = { tables: TABLES.map((name) => ({ name, columns: COLUMNS })) };
