// @ts-check
/**
 * @typedef {import('./training-set.mjs').TrainingSchema} TrainingSchema
 * @typedef {{ text: string, isPattern: boolean, isNumber: boolean }} Literal
 */

const TOKEN =
  /"(?:[^"])*"|'(?:[^'])*'|[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)?|\d+(?:\.\d+)?|<>|!=|<=|>=|[=<>(),*+\-/]/g;
const WORDS_BEFORE_TABLE = new Set(['from', 'join', ',']);

/**
 * Returns the literals that the gold queries compare each column with, by `table.column` in lower case.
 * @param {TrainingSchema} schema
 * @param {readonly string[]} queries
 * @returns {Map<string, Literal[]>}
 */
export function collectLiterals(schema, queries) {
  /** @type {Map<string, Literal[]>} */
  const found = new Map();
  for (const sql of queries) {
    for (const { table, column, literals } of readComparisons(schema, sql)) {
      const key = `${table}.${column}`;
      found.set(key, [...(found.get(key) ?? []), ...literals]);
    }
  }
  return found;
}

/** @param {TrainingSchema} schema @param {string} sql */
function readComparisons(schema, sql) {
  const tokens = sql.match(TOKEN) ?? [];
  const lower = tokens.map((token) => token.toLowerCase());
  const names = readTableNames(schema, lower);
  /** @type {{ table: string, column: string, operator: string, literals: Literal[] }[]} */
  const found = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const column = findColumn(schema, names, lower[index] ?? '');
    if (column === null) continue;
    const literals = readLiteralsBehind(tokens, lower, index + 1);
    if (literals.length > 0) found.push({ ...column, operator: findOperator(lower, index + 1), literals });
  }
  return found;
}

/** @param {readonly string[]} lower @param {number} from */
function findOperator(lower, from) {
  let index = from;
  while (lower[index] === ')') index += 1;
  return lower[index] ?? '';
}

/**
 * Returns the values that a row must have so that one query finds it, by table and column.
 * @param {TrainingSchema} schema
 * @param {string} sql
 * @returns {Map<string, Map<string, Literal & { operator: string }>>}
 */
export function readMatchingRows(schema, sql) {
  const lower = (sql.match(TOKEN) ?? []).map((token) => token.toLowerCase());
  /** @type {Map<string, Map<string, Literal & { operator: string }>>} */
  const inputs = new Map([...readTableNames(schema, lower).values()].map((table) => [table, new Map()]));
  for (const { table, column, operator, literals } of readComparisons(schema, sql)) {
    const [literal] = literals;
    if (literal !== undefined && !['!=', '<>', 'not'].includes(operator))
      inputs.get(table)?.set(column, { ...literal, operator });
  }
  return inputs;
}

/**
 * Returns the table of the first selected column in lower case, or null if none exists.
 * @param {TrainingSchema} schema
 * @param {string} sql
 */
export function readSelectedTable(schema, sql) {
  const lower = (sql.match(TOKEN) ?? []).map((token) => token.toLowerCase());
  const names = readTableNames(schema, lower);
  const first = lower.slice(1).find((token) => !['distinct', 'count', '('].includes(token));
  return first === undefined ? null : (findColumn(schema, names, first)?.table ?? null);
}

/**
 * @param {readonly string[]} tokens @param {readonly string[]} lower @param {number} from @returns
 *   {Literal[]}
 */
function readLiteralsBehind(tokens, lower, from) {
  let index = from;
  while (lower[index] === ')' || lower[index] === 'not') index += 1;
  const operator = lower[index] ?? '';
  if (!['=', '!=', '<>', '<', '>', '<=', '>=', 'like', 'between', 'in'].includes(operator)) return [];
  const reach = operator === 'between' ? [index + 1, index + 3] : [index + 1];
  return reach.flatMap((position) => toLiteral(tokens[position] ?? '', operator === 'like'));
}

/** @param {string} token @param {boolean} isPattern @returns {Literal[]} */
function toLiteral(token, isPattern) {
  if (/^["']/.test(token)) return [{ text: token.slice(1, -1), isPattern, isNumber: false }];
  if (/^\d/.test(token)) return [{ text: token, isPattern: false, isNumber: true }];
  return [];
}

/**
 * Maps aliases and names to tables, in lower case.
 * @param {TrainingSchema} schema
 * @param {readonly string[]} lower
 */
function readTableNames(schema, lower) {
  const known = new Set(schema.tables.map((table) => table.name.toLowerCase()));
  /** @type {Map<string, string>} */
  const names = new Map();
  for (let index = 1; index < lower.length; index += 1) {
    const word = lower[index] ?? '';
    if (!known.has(word) || !WORDS_BEFORE_TABLE.has(lower[index - 1] ?? '')) continue;
    names.set(word, word);
    const alias = lower[index + 1] === 'as' ? lower[index + 2] : lower[index + 1];
    if (alias !== undefined && /^\w+$/.test(alias)) names.set(alias, word);
  }
  return names;
}

/** @param {TrainingSchema} schema @param {ReadonlyMap<string, string>} names @param {string} word */
function findColumn(schema, names, word) {
  const [first = '', second] = word.split('.');
  const tables =
    second === undefined
      ? [...new Set(names.values())]
      : [names.get(first)].filter((name) => name !== undefined);
  const column = second ?? first;
  for (const name of tables) {
    const table = schema.tables.find((entry) => entry.name.toLowerCase() === name);
    if (table?.columns.some((entry) => entry.name.toLowerCase() === column)) return { table: name, column };
  }
  return null;
}

/**
 * Writes table names in the case of the schema and aliases
 * in a uniform case, since the server is case-sensitive.
 * @param {TrainingSchema} schema
 * @param {string} sql
 */
export function writeNamesExactly(schema, sql) {
  const tokens = sql.match(TOKEN) ?? [];
  const aliases = new Set(
    readTableNames(
      schema,
      tokens.map((token) => token.toLowerCase()),
    ).keys(),
  );
  const exact = new Map(schema.tables.map((table) => [table.name.toLowerCase(), table.name]));
  return sql.replace(TOKEN, (token) => {
    if (!/^[A-Za-z_]/.test(token)) return token;
    const [first = '', second] = token.split('.');
    const lower = first.toLowerCase();
    const name = exact.get(lower) ?? (aliases.has(lower) ? lower : first);
    return second === undefined
      ? exact.has(lower) || aliases.has(lower)
        ? name
        : token
      : `${name}.${second}`;
  });
}

/**
 * Returns the columns of GROUP BY without their tables, in lower case.
 * @param {string} sql
 */
export function readGroupedNames(sql) {
  const [, list = ''] =
    /\bgroup\s+by\s+([\w.,\s]+?)(?:\bhaving\b|\border\b|\blimit\b|\bunion\b|\bintersect\b|\bexcept\b|\)|;|$)/i.exec(
      sql,
    ) ?? [];
  return list
    .split(',')
    .map((name) => name.trim().split('.').at(-1)?.toLowerCase() ?? '')
    .filter((name) => name !== '');
}

/**
 * Returns the columns that EXCEPT or INTERSECT compare
 * (`SELECT name … EXCEPT SELECT name …`), without their tables, in lower case.
 * @param {string} sql
 */
export function readComparedNames(sql) {
  if (!/\b(?:except|intersect)\b/i.test(sql)) return [];
  const [, list = ''] = /^\s*select\s+(?:distinct\s+)?([\w.,\s]+?)\s+from\b/i.exec(sql) ?? [];
  return list
    .split(',')
    .map((name) => name.trim().split('.').at(-1)?.toLowerCase() ?? '')
    .filter((name) => name !== '');
}
