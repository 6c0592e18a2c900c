// @ts-check
import {
  createRandom,
  hostileComment,
  hostileLiteral,
  hostileName,
  hostileText,
  quoteName,
  quoteText,
} from './hostile-text.mjs';

/** @typedef {import('./hostile-text.mjs').Random} Random */
/** @typedef {'mariadb' | 'mysql'} Engine */
/**
 * The statements of one small database. If the server rejects a statement, it is skipped together with all
 * statements that depend on it.
 * @typedef {object} Case
 * @property {{ kind: 'table' | 'view' | 'body', sql: string, mode: string }[]} objects
 * @property {string[]} inserts statements to run after the tables, under an empty sql_mode
 */

const MODES = [
  '',
  '',
  '',
  'ANSI_QUOTES',
  'NO_BACKSLASH_ESCAPES',
  'ANSI_QUOTES,NO_BACKSLASH_ESCAPES',
  'PIPES_AS_CONCAT',
];
/** Names that are commands of a client when a line begins with them. */
const LINE_WORDS = [
  'status',
  'source',
  'print',
  'help',
  'go',
  'tee',
  'pager',
  'edit',
  'ego',
  'prompt',
  'clear',
  'quit',
  'delimiter',
  'delimiter_x',
  'warnings',
  'connect',
  'charset',
  'rehash',
  'notee',
];

/** @type {readonly { type: string, value: (random: Random) => string }[]} */
const TYPES = [
  { type: 'text', value: textValue },
  { type: 'varchar(300)', value: textValue },
  {
    type: 'varchar(300) CHARACTER SET latin1',
    value: (random) => quoteText(hostileText(random).replaceAll(/[^\0-\x7f]/g, 'ä')),
  },
  { type: 'longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', value: textValue },
  { type: 'bit(1)', value: (random) => random.pick(["b'0'", "b'1'"]) },
  { type: 'bit(64)', value: (random) => random.pick(["b'0'", '10', '18446744073709551615']) },
  { type: 'tinyint(1)', value: (random) => String(random.below(9)) },
  {
    type: 'double',
    value: (random) =>
      random.pick([
        '0',
        '-0e0',
        '0.1',
        '1e-300',
        '1.7976931348623157e308',
        '-3.14159265358979',
        '4.9e-324',
        String(random.next() * 10 ** (random.below(600) - 300)),
      ]),
  },
  {
    type: 'float',
    value: (random) => random.pick(['0', '0.1', '16777216.5', '-3.4e38', '1.17e-38', String(random.next())]),
  },
  {
    type: 'decimal(40,20)',
    value: (random) =>
      random.pick(['0', '-0.00000000000000000001', '12345678901234567890.12345678901234567891']),
  },
  { type: 'bigint unsigned', value: () => '18446744073709551615' },
  { type: 'int(6) zerofill', value: (random) => String(random.below(1_000)) },
  { type: 'year', value: (random) => random.pick(['0', '1999', '2155']) },
  {
    type: 'date',
    value: (random) => random.pick(["'0000-00-00'", "'2024-02-29'", "'2024-02-30'", "'2020-00-10'"]),
  },
  {
    type: 'datetime(6)',
    value: (random) => random.pick(["'0000-00-00 00:00:00'", "'2024-02-29 23:59:59.123456'"]),
  },
  { type: 'time(3)', value: (random) => random.pick(["'-838:59:59'", "'00:00:00.5'"]) },
  {
    type: 'timestamp NULL',
    value: (random) => random.pick(["'0000-00-00 00:00:00'", "'2024-03-31 02:30:00'"]),
  },
  { type: 'blob', value: bytesValue },
  { type: 'varbinary(300)', value: bytesValue },
  {
    type: 'json',
    value: (random) => quoteText(JSON.stringify({ [hostileText(random)]: [hostileText(random), 1.5, null] })),
  },
  { type: 'geometry', value: (random) => `ST_GeomFromText('POINT(${random.below(9)}.5 -2)')` },
];

/** @param {Random} random */
function textValue(random) {
  if (random.chance(0.02)) return `REPEAT(${quoteText(hostileText(random))}, 2000)`;
  return quoteText(`${hostileText(random)}${random.chance(0.2) ? '\0\r\n\x1a' : ''}`);
}

/** @param {Random} random */
function bytesValue(random) {
  return `x'${Buffer.from(hostileText(random)).toString('hex')}${random.pick(['', '00', 'ff5c27', 'e3', '0d0a'])}'`;
}

/** @param {number} seed @param {Engine} engine @returns {Case} */
export function makeCase(seed, engine) {
  const random = createRandom(seed);
  /** @type {Case} */
  const created = { objects: [], inserts: [] };
  const taken = new Set();
  const name = () => {
    for (;;) {
      const text = hostileName(random);
      const folded = text
        .toLowerCase()
        .normalize('NFKD')
        .replaceAll(/[\u0300-\u036f]/g, '');
      if (!taken.has(folded) && !text.startsWith('_rh_')) {
        taken.add(folded);
        return text;
      }
    }
  };
  for (let count = 1 + random.below(2); count > 0; count -= 1) addTable(random, engine, created, name);
  for (let count = random.below(3); count > 0; count -= 1)
    created.objects.push({ kind: 'body', sql: makeRoutine(random, engine, name()), mode: '' });
  return created;
}

/** @param {Random} random @param {Engine} engine @param {Case} created @param {() => string} name */
function addTable(random, engine, created, name) {
  const table = name();
  const columns = Array.from({ length: 1 + random.below(4) }, () => ({
    name: name(),
    ...random.pick(TYPES),
  }));
  // Servers compare labels without regard to case, accents and control characters.
  const labels = ['a', 'b', 'c'].map(
    (letter) =>
      `${letter}${hostileText(random, { max: 20, astral: false }).replaceAll(/[,\0]|[\s\u00a0]+$/g, '')}`,
  );
  const [text, made2] = [name(), name()];
  const lines = [
    `${quoteName('id')} int NOT NULL AUTO_INCREMENT PRIMARY KEY`,
    `${quoteName(text)} varchar(300) DEFAULT ${quoteText(hostileText(random, { astral: false }))} COMMENT ${quoteText(hostileText(random, { astral: false }))}`,
    ...columns.map(
      (column) =>
        `${quoteName(column.name)} ${column.type} COMMENT ${quoteText(hostileText(random, { astral: false }))}`,
    ),
    `${quoteName('label')} enum(${labels.map(quoteText).join(', ')})`,
    ...(random.chance(0.5)
      ? [
          `${quoteName(made2)} varchar(900) GENERATED ALWAYS AS (concat(${quoteName(text)}, ${quoteText(hostileText(random, { astral: false }))})) ${random.pick(['VIRTUAL', 'STORED'])}`,
        ]
      : []),
    ...(random.chance(0.5)
      ? [
          `CONSTRAINT ${quoteName(name())} CHECK (${quoteName(text)} <> ${quoteText(hostileText(random, { astral: false }))})`,
        ]
      : []),
    ...(random.chance(0.4) ? [`KEY ${quoteName(name())} (${quoteName(text)}(20))`] : []),
    ...(random.chance(0.2)
      ? [`${quoteName('dark')} int ${engine === 'mysql' ? 'DEFAULT 1 INVISIBLE' : 'INVISIBLE DEFAULT 1'}`]
      : []),
  ];
  created.objects.push({
    kind: 'table',
    mode: '',
    sql: `CREATE TABLE ${quoteName(table)} (${lines.join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT=${quoteText(hostileText(random, { astral: false }))}`,
  });
  const names = [text, ...columns.map((column) => column.name), 'label'];
  for (let row = random.below(4); row > 0; row -= 1) {
    const values = [
      textValue(random),
      ...columns.map((column) => (random.chance(0.15) ? 'NULL' : column.value(random))),
      random.pick(['NULL', '1', "''", "'no label'"]),
    ];
    created.inserts.push(
      `INSERT IGNORE INTO ${quoteName(table)} (${names.map(quoteName).join(', ')}) VALUES (${values.join(', ')})`,
    );
  }
  if (random.chance(0.6))
    created.objects.push({
      kind: 'view',
      mode: '',
      sql: `CREATE VIEW ${quoteName(name())} AS SELECT ${hostileLiteral(random, '')} AS ${quoteName(name())}, ${quoteName(text)} FROM ${quoteName(table)} WHERE ${quoteName(text)} <> ${hostileLiteral(random, '')}`,
    });
  if (random.chance(0.7)) {
    const mode = random.pick(MODES);
    created.objects.push({
      kind: 'body',
      mode,
      sql: `CREATE TRIGGER ${quoteName(name())} ${random.pick(['BEFORE', 'AFTER'])} ${random.pick(['INSERT', 'UPDATE', 'DELETE'])} ON ${quoteName(table)} FOR EACH ROW ${makeBody(random, engine, mode)}`,
    });
  }
}

/** @param {Random} random @param {Engine} engine @param {string} name */
function makeRoutine(random, engine, name) {
  if (random.chance(0.5))
    return `CREATE PROCEDURE ${quoteName(name)}(IN ${quoteName(hostileName(random))} int) COMMENT ${quoteText(hostileText(random, { astral: false }))} ${makeBody(random, engine, '')}`;
  return `CREATE FUNCTION ${quoteName(name)}(x int) RETURNS text DETERMINISTIC BEGIN ${makeBody(random, engine, '')}; ${gap(random, engine)} RETURN ${hostileLiteral(random, '')}; END`;
}

/** @param {Random} random @param {Engine} engine @param {string} mode */
function makeBody(random, engine, mode) {
  const set = () =>
    `SET${gap(random, engine)} @a =${gap(random, engine)} ${expression(random, engine, mode)}${gap(random, engine)}, @b = 1`;
  if (random.chance(0.4)) return set();
  const inner = Array.from(
    { length: 1 + random.below(3) },
    () => `${gap(random, engine)} ${set()}${gap(random, engine)};`,
  ).join(random.pick([' ', '\n', '\r\n', '\n\t']));
  return `BEGIN DECLARE ${quoteName(hostileName(random))} int; ${inner} IF @a = 1 THEN SET @c = 1; ELSE ${set()}; END IF; ${gap(random, engine)} END`;
}

/** @param {Random} random @param {Engine} engine @param {string} mode */
function expression(random, engine, mode) {
  const kind = random.next();
  if (kind < 0.45) return hostileLiteral(random, mode);
  if (kind < 0.7) {
    const word = random.pick(LINE_WORDS);
    return `(SELECT${gap(random, engine)}\n${random.pick(['', ' ', '\t', '\r\n'])}${word}\n FROM (SELECT 1 AS ${quoteName(word)}) q)`;
  }
  return random.pick(['1--1', '1 - -1', '4 DIV 2', '2 * 3', '1 / 2']);
}

/**
 * Returns white space, sometimes with a comment in it.
 * @param {Random} random
 * @param {Engine} engine
 */
function gap(random, engine) {
  return random.chance(0.35)
    ? ` ${hostileComment(random, engine)} `
    : random.pick([' ', ' ', '\n', '\r\n', '\t', '\x0b', '\x0c']);
}
