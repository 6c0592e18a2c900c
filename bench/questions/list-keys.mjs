// @ts-check
/** @typedef {import('./training-set.mjs').TrainingSchema} TrainingSchema @typedef {import('./training-set.mjs').TrainingTable} TrainingTable */

/**
 * Columns whose values repeat in no row: primary keys of one column; the one column of a table that foreign keys refer to, as a server demands
 * of it (where they refer to several, these may be the parts of one key); and, in a table that declares no key and that nothing refers to, a
 * first column that is called `id` or as its table. Of a key of several columns none stands alone.
 *
 * @param {Pick<TrainingSchema, 'tables' | 'foreign_keys'>} schema
 * @returns {ReadonlySet<string>} `table.column` in lower case
 */
export function listKeys({ tables, foreign_keys: foreignKeys }) {
  const referred = new Set(foreignKeys.map(({ to }) => toName(...to)));
  const referring = new Set(foreignKeys.map(({ from }) => toName(...from)));
  return new Set(tables.flatMap((table) => {
    const declared = table.primary_key.map((column) => toName(table.name, column));
    const pointed = table.columns.map((column) => toName(table.name, column.name)).filter((name) => referred.has(name));
    const alone = pointed.length === 1 ? pointed : [];
    if (declared.length > 0) return [...(declared.length === 1 ? declared : []), ...alone.filter((name) => !declared.includes(name))];
    const [first] = table.columns;
    const isKey = pointed.length === 0 && first !== undefined && isCalledKey(table.name, first.name) && !referring.has(toName(table.name, first.name));
    return isKey ? [toName(table.name, first.name)] : alone;
  }));
}

/**
 * What refers to what: the declared foreign keys, and columns that are called exactly as the key of one other table (`region_code`): the values
 * of both are the same, whether that was declared or not.
 *
 * @param {Pick<TrainingSchema, 'tables' | 'foreign_keys'>} schema
 * @returns {TrainingSchema['foreign_keys']}
 */
export function listReferences({ tables, foreign_keys: declared }) {
  const known = new Set(declared.map(({ from }) => toName(...from)));
  const implied = tables.flatMap((table) => table.columns.flatMap(({ name, type }) => {
    if (known.has(toName(table.name, name)) || (table.primary_key.length === 1 && table.primary_key[0] === name) || !/.(?:id|code)$/i.test(name)) return [];
    const owners = tables.filter((other) => other !== table && other.primary_key.length === 1 && other.primary_key[0]?.toLowerCase() === name.toLowerCase());
    const key = owners[0]?.columns.find((column) => column.name === owners[0]?.primary_key[0]);
    return owners.length === 1 && owners[0] !== undefined && key?.type === type ? [{ from: /** @type {[string, string]} */ ([table.name, name]), to: /** @type {[string, string]} */ ([owners[0].name, key.name]) }] : [];
  }));
  return [...declared, ...implied];
}

/** `id`, or `player_id` in `player` and `players`. @param {string} table @param {string} column */
function isCalledKey(table, column) {
  const plain = (/** @type {string} */ name) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const called = plain(column);
  return called === 'id' || [plain(table), plain(table).replace(/s$/, '')].some((name) => called === `${name}id`);
}

/** @param {string} table @param {string} column */
const toName = (table, column) => `${table}.${column}`.toLowerCase();
