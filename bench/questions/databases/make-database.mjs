// @ts-check
import { makeRandom } from '../../lib/make-random.mjs';
import { collectLiterals } from './gold-literals.mjs';
import { listKeys, listReferences } from './list-keys.mjs';
import { repairReferences } from './repair-references.mjs';
import { plantLiterals } from './plant-literals.mjs';
import { plantMatchingRows } from './plant-matching-rows.mjs';
import {
  listCompared,
  listGrouped,
  listGroupedAlone,
  listSummed,
  separateExtremes,
  needsDistinctValues,
} from './spread-values.mjs';

/**
 * @typedef {import('./training-set.mjs').TrainingDatabase} TrainingDatabase
 * @typedef {import('./training-set.mjs').TrainingTable} TrainingTable
 * @typedef {import('./gold-literals.mjs').Literal} Literal
 * @typedef {{ table: string, name: string, sqlType: string, pool: (string | number)[], isKey: boolean,
 *   isUnique: boolean, isSpread: boolean, isOwn: boolean }} MadeColumn `isOwn` is set when the column is not
 *   part of any key.
 * @typedef {{ name: string, columns: MadeColumn[], rows: (string | number | null)[][] }} MadeTable
 */

const ROWS = 60;
/**
 * The number of key values that no other row refers to, so that questions about rows without related rows
 * find something.
 */
const SPARE = 10;
const FIRST = [
  'Ada',
  'Boris',
  'Clara',
  'Dmitri',
  'Elena',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kira',
  'Lars',
  'Mona',
  'Nils',
  'Olga',
  'Pavel',
  'Quinn',
  'Rosa',
  'Sven',
  'Tilda',
  'Umar',
  'Vera',
  'Willem',
  'Xenia',
  'Yusuf',
  'Zelda',
];
const SECOND = [
  'Amber',
  'Birch',
  'Cedar',
  'Delta',
  'Ember',
  'Fjord',
  'Grove',
  'Harbor',
  'Island',
  'Juniper',
  'Knoll',
  'Lagoon',
  'Meadow',
  'North',
  'Orchard',
  'Prairie',
  'Quarry',
  'Ridge',
  'Summit',
  'Tundra',
  'Upland',
  'Valley',
  'Willow',
  'Yarrow',
  'Zephyr',
];

/**
 * Creates tables with rows for one training schema.
 * Every literal of the gold queries occurs next to other values, and foreign keys match.
 * @param {TrainingDatabase} database
 * @param {number} [seed] gives different rows
 * @returns {{ tables: MadeTable[], statements: string[] }}
 */
export function makeDatabase(database, seed = 7) {
  const { schema, questions } = database;
  const grouped = listGrouped(database);
  const summed = listSummed(database);
  const compared = listCompared(database);
  const random = makeRandom(
    Array.from(schema.db_id).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, seed),
  );
  const literals = collectLiterals(
    schema,
    questions.map((question) => question.sql),
  );
  const related = { ...schema, foreign_keys: listReferences(schema) };
  const parents = readParents(related);
  const keys = listKeys(schema);
  const alone = listGroupedAlone(database);
  const telling = new Set(
    schema.tables.flatMap((table) =>
      table.columns.flatMap(({ name }) =>
        isOnlyDescription(table, name) && !alone.has(name.toLowerCase()) ? [keyOf(table.name, name)] : [],
      ),
    ),
  );
  const roots = new Map(
    schema.tables.flatMap((table) =>
      table.columns.map((column) => {
        const key = keyOf(table.name, column.name);
        return [key, findRoot(parents, key)];
      }),
    ),
  );
  /** @type {Map<string, Literal[]>} */
  const byRoot = new Map();
  for (const [key, list] of literals)
    byRoot.set(roots.get(key) ?? key, [...(byRoot.get(roots.get(key) ?? key) ?? []), ...list]);
  const keyRoots = new Set([...keys].map((key) => roots.get(key) ?? key));
  const typeOf = new Map(
    schema.tables.flatMap((table) =>
      table.columns.map((column) => /** @type {const} */ ([keyOf(table.name, column.name), column.type])),
    ),
  );
  /** @type {Map<string, { sqlType: string, pool: (string | number)[] }>} */
  const pools = new Map();
  const tables = schema.tables.map((table) => makeTable(table));
  plantLiterals(tables, literals);
  plantMatchingRows(
    related,
    tables,
    questions.map((question) => question.sql),
  );
  for (const table of tables) table.rows = dropDuplicateKeys(table.columns, table.rows);
  plantLiterals(tables, literals);
  repairReferences(related, tables);
  separateExtremes(tables, literals);
  return { tables, statements: tables.flatMap((table) => toStatements(schema, table)) };

  /** @param {TrainingTable} table @returns {MadeTable} */
  function makeTable(table) {
    const columns = table.columns.map((column) => makeColumn(table, column.name));
    const key = columns.find((column) => column.isUnique && column.isKey);
    const rows = Array.from({ length: key === undefined ? ROWS : key.pool.length - SPARE }, (_, index) =>
      columns.map((column) => pickValue(column, index)),
    );
    return { name: table.name, columns, rows };
  }

  /** @param {TrainingTable} table @param {string} name @returns {MadeColumn} */
  function makeColumn(table, name) {
    const key = keyOf(table.name, name);
    const root = roots.get(key) ?? key;
    let created = pools.get(root);
    if (created === undefined) {
      created = makePool(
        name,
        typeOf.get(root) ?? 'text',
        byRoot.get(root) ?? [],
        keyRoots.has(root) || telling.has(root),
      );
      pools.set(root, created);
    }
    const isKey = table.primary_key.includes(name) || (table.primary_key.length === 0 && keys.has(key));
    const isLabel =
      table.primary_key.length === 1 &&
      /name|title/i.test(name) &&
      !/first|last|middle|fname|lname|family|user|nick/i.test(name) &&
      root === key;
    const isLinked = root !== key || [...parents.values()].includes(key);
    const isCompared =
      !isKey &&
      !isLinked &&
      created.sqlType.startsWith('VARCHAR') &&
      (compared.has(name.toLowerCase()) || telling.has(key));
    return {
      table: table.name,
      name,
      ...created,
      isKey,
      isUnique: keys.has(key) || isLabel || isCompared,
      isSpread: !isKey && !isLinked && needsDistinctValues(grouped, { name, sqlType: created.sqlType }),
      isOwn: !isKey && !isLinked,
    };
  }

  /** @param {MadeColumn} column @param {number} index */
  function pickValue(column, index) {
    if (column.isUnique) return column.pool[index % column.pool.length] ?? index;
    if (column.isSpread && random() < 0.85) return column.pool[index % column.pool.length] ?? index;
    // Squaring the random number makes some values frequent and others rare, so that counts are rarely equal.
    const position = Math.floor(random() ** 2 * (column.pool.length - SPARE) * 0.9);
    return column.pool[position] ?? null;
  }

  /**
   * @param {string} name
   * @param {string} type
   * @param {Literal[]} found
   * @param {boolean} isKey requires a value for every row
   */
  function makePool(name, type, found, isKey) {
    const texts = [...new Set(found.filter((literal) => !literal.isPattern).map((literal) => literal.text))];
    const patterns = [
      ...new Set(found.filter((literal) => literal.isPattern).map((literal) => literal.text)),
    ];
    const sqlType = chooseType(
      name,
      summed.has(name.toLowerCase()) && type !== 'time' ? 'number' : type,
      texts,
      patterns,
    );
    const literalsFirst = texts.map((text) =>
      sqlType === 'INT' || sqlType === 'DOUBLE' ? Number(text) : text,
    );
    const matching = patterns.map((pattern, index) =>
      pattern.replaceAll('%', FIRST[index % FIRST.length] ?? '').replaceAll('_', 'x'),
    );
    /** @type {Set<string | number>} */
    const pool = new Set([...literalsFirst, ...(sqlType.startsWith('VARCHAR') ? matching : [])]);
    const requestedCount = Math.max(ROWS + SPARE, pool.size + 30, Math.min(questions.length, 150) + 20);
    const isLabel = isKey || /name|title|code|id$/i.test(name) || compared.has(name.toLowerCase());
    const variety = sqlType.startsWith('VARCHAR') && !isLabel ? Math.max(12, pool.size + 8) : requestedCount;
    for (let index = 0; pool.size < Math.max(variety, 12) && index < 5_000; index += 1)
      pool.add(makeDistractor(name, sqlType, texts, index));
    for (let index = 0; pool.size < requestedCount && index < 5_000; index += 1)
      pool.add(makeDistractor(name, sqlType, texts, index + 5_000));
    const list = [...pool];
    // Literals are distributed over the pool, so that they are neither all frequent nor all rare.
    for (let index = list.length - 1; index > 0; index -= 1) {
      const other = Math.floor(random() * (index + 1));
      [list[index], list[other]] = [/** @type {string} */ (list[other]), /** @type {string} */ (list[index])];
    }
    const short =
      variety < requestedCount
        ? list
            .filter((value) => literalsFirst.includes(value))
            .concat(list.filter((value) => !literalsFirst.includes(value)))
            .slice(0, variety)
        : list;
    return { sqlType, pool: short };
  }

  /**
   * @param {string} name
   * @param {string} sqlType
   * @param {readonly string[]} texts
   * @param {number} index
   * @returns
   *   {string | number}
   */
  function makeDistractor(name, sqlType, texts, index) {
    const numbers = texts.map(Number).filter((value) => Number.isFinite(value));
    if (sqlType === 'INT') {
      if (/year/i.test(name)) return 1950 + Math.floor(random() * 73);
      if (numbers.length === 0 && /id$/i.test(name)) return index + 1;
      const [low, high] = numbers.length === 0 ? [1, 500] : [Math.min(...numbers), Math.max(...numbers)];
      const spread = Math.max(20, high - low, high);
      return Math.max(0, Math.floor(low - spread * 0.5 + random() * spread * 2));
    }
    if (sqlType === 'DOUBLE') {
      const [low, high] = numbers.length === 0 ? [0, 100] : [Math.min(...numbers), Math.max(...numbers)];
      return Math.round((low * 0.5 + random() * Math.max(5, high * 1.5 - low * 0.5)) * 100) / 100;
    }
    const day = `${1960 + Math.floor(random() * 63)}-${pad(1 + Math.floor(random() * 12))}-${pad(1 + Math.floor(random() * 28))}`;
    if (sqlType === 'DATE') return day;
    if (sqlType === 'DATETIME')
      return `${day} ${pad(Math.floor(random() * 24))}:${pad(Math.floor(random() * 60))}:00`;
    return `${FIRST[Math.floor(random() * FIRST.length)]} ${SECOND[Math.floor(random() * SECOND.length)]}${index > 300 ? ` ${index}` : ''}`;
  }
}

/**
 * Returns whether the column is the only one besides the key, such as the name in a table of categories. Its
 * values must then be unique.
 * @param {TrainingTable} table
 * @param {string} name
 */
function isOnlyDescription({ columns, primary_key: key }, name) {
  return key.length === 1 && columns.length === 2 && key[0] !== name;
}

/** @param {number} value */
const pad = (value) => String(value).padStart(2, '0');

/**
 * @param {string} name @param {string} type @param {readonly string[]} texts @param {readonly string[]}
 *   patterns
 */
function chooseType(name, type, texts, patterns) {
  const all = (/** @type {RegExp} */ shape) => texts.every((text) => shape.test(text));
  if (patterns.length > 0 && type !== 'number') return 'VARCHAR(200)';
  if (type === 'number' || (type === 'others' && texts.length > 0 && all(/^-?\d+$/))) {
    if (!all(/^-?\d+(\.\d+)?$/)) return 'VARCHAR(200)';
    return all(/^-?\d{1,9}$/) &&
      (texts.length > 0 ||
        !/amount|price|rate|ratio|average|percent|salary|cost|score|grade_point|gpa|weight|height/i.test(
          name,
        ))
      ? 'INT'
      : 'DOUBLE';
  }
  if (type === 'boolean' && all(/^[01]$/)) return 'INT';
  if (type === 'time') {
    if (/year/i.test(name) && all(/^\d{4}$/)) return 'INT';
    if (texts.length > 0 && all(/^\d{4}-\d\d-\d\d$/)) return 'DATE';
    if (texts.length > 0 && all(/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/)) return 'DATETIME';
    if (texts.length === 0) return /time/i.test(name) ? 'DATETIME' : 'DATE';
  }
  return 'VARCHAR(200)';
}

/** @param {import('./training-set.mjs').TrainingSchema} schema */
function readParents(schema) {
  return new Map(schema.foreign_keys.map(({ from, to }) => [keyOf(...from), keyOf(...to)]));
}

/** @param {ReadonlyMap<string, string>} parents @param {string} key */
function findRoot(parents, key) {
  let root = key;
  for (let step = 0; step < 10; step += 1) {
    const next = parents.get(root);
    if (next === undefined || next === key) break;
    root = next;
  }
  return root;
}

/** @param {MadeColumn[]} columns @param {(string | number | null)[][]} rows */
function dropDuplicateKeys(columns, rows) {
  const keys = columns.flatMap((column, index) => (column.isKey ? [index] : []));
  // A junction table has each pair once, as a key would require.
  // Without any key, all columns together identify a row.
  const ties = columns.flatMap((column, index) => (column.isOwn ? [] : [index]));
  const isTie = ties.length > 1 && columns.length - ties.length <= 1;
  const locations = keys.length > 0 ? keys : isTie ? ties : columns.map((_, index) => index);
  const seen = new Set();
  return rows.filter((row) => {
    const key = JSON.stringify(locations.map((position) => String(row[position]).toLowerCase()));
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

/** @param {string} table @param {string} column */
export const keyOf = (table, column) => `${table.toLowerCase()}.${column.toLowerCase()}`;

/** @param {string} name */
const quote = (name) => `\`${name.replaceAll('`', '``')}\``;

/** @param {string | number | null} value */
const toSql = (value) =>
  value === null
    ? 'NULL'
    : typeof value === 'number'
      ? String(value)
      : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * @param {import('./training-set.mjs').TrainingSchema} schema @param {MadeTable} table @returns {string[]}
 */
function toStatements(schema, table) {
  const source = schema.tables.find((entry) => entry.name === table.name);
  const key = source?.primary_key ?? [];
  const references = schema.foreign_keys
    .filter(({ from }) => from[0] === table.name)
    .map(
      ({ from, to }, index) =>
        `, KEY (${quote(from[1])}), CONSTRAINT ${quote(`fk_${table.name}_${index}`)} FOREIGN KEY (${quote(from[1])}) REFERENCES ${quote(to[0])} (${quote(to[1])})`,
    );
  const referenced = new Set(
    schema.foreign_keys
      .filter(({ to }) => to[0] === table.name && !(key.length === 1 && key[0] === to[1]))
      .map(({ to }) => to[1]),
  );
  const columns = table.columns.map(
    (column) => `${quote(column.name)} ${column.sqlType}${key.includes(column.name) ? ' NOT NULL' : ''}`,
  );
  const parts = [
    ...columns,
    ...(key.length > 0 ? [`PRIMARY KEY (${key.map(quote).join(', ')})`] : []),
    ...[...referenced].map((name) => `KEY (${quote(name)})`),
  ];
  const create = (/** @type {readonly string[]} */ foreign) =>
    `CREATE TABLE ${quote(table.name)} (${parts.join(', ')}${foreign.join('')})`;
  const insert = `INSERT IGNORE INTO ${quote(table.name)} VALUES ${table.rows.map((row) => `(${row.map(toSql).join(', ')})`).join(', ')}`;
  return [create(references), insert];
}
