// @ts-check
/** @typedef {import('./training-set.mjs').TrainingSchema} TrainingSchema @typedef {import('./training-set.mjs').TrainingTable} TrainingTable */

/**
 * Returns the columns whose values are unique. These are primary keys of one column, and a table's only
 * column with references from foreign keys. With several referenced columns, each may be a part of one key,
 * so none is included. When a table has no declared key and no references to it, its first column is included
 * if it is called `id` or like the table. Single columns of a composite key are never included.
 * @param {Pick<TrainingSchema, 'tables' | 'foreign_keys'>} schema
 * @returns {ReadonlySet<string>} `table.column` in lower case
 */
export function listKeys({ tables, foreign_keys: foreignKeys }) {
  const referred = new Set(foreignKeys.map(({ to }) => toName(...to)));
  const referring = new Set(foreignKeys.map(({ from }) => toName(...from)));
  return new Set(
    tables.flatMap((table) => {
      const declared = table.primary_key.map((column) => toName(table.name, column));
      const pointed = table.columns
        .map((column) => toName(table.name, column.name))
        .filter((name) => referred.has(name));
      const alone = pointed.length === 1 ? pointed : [];
      if (declared.length > 0)
        return [
          ...(declared.length === 1 ? declared : []),
          ...alone.filter((name) => !declared.includes(name)),
        ];
      const [first] = table.columns;
      const isKey =
        pointed.length === 0 &&
        first !== undefined &&
        isCalledKey(table.name, first.name) &&
        !referring.has(toName(table.name, first.name));
      return isKey ? [toName(table.name, first.name)] : alone;
    }),
  );
}

/**
 * Returns the declared foreign keys, and columns with exactly the name of another table's key
 * (`region_code`). Their values are the same whether or not the key is declared.
 * @param {Pick<TrainingSchema, 'tables' | 'foreign_keys'>} schema
 * @returns {TrainingSchema['foreign_keys']}
 */
export function listReferences({ tables, foreign_keys: declared }) {
  const known = new Set(declared.map(({ from }) => toName(...from)));
  const implied = tables.flatMap((table) =>
    table.columns.flatMap(({ name, type }) => {
      if (
        known.has(toName(table.name, name)) ||
        (table.primary_key.length === 1 && table.primary_key[0] === name) ||
        !/.(?:id|code)$/i.test(name)
      )
        return [];
      const owners = tables.filter(
        (other) =>
          other !== table &&
          other.primary_key.length === 1 &&
          other.primary_key[0]?.toLowerCase() === name.toLowerCase(),
      );
      const key = owners[0]?.columns.find((column) => column.name === owners[0]?.primary_key[0]);
      return owners.length === 1 && owners[0] !== undefined && key?.type === type
        ? [
            {
              from: /** @type {[string, string]} */ ([table.name, name]),
              to: /** @type {[string, string]} */ ([owners[0].name, key.name]),
            },
          ]
        : [];
    }),
  );
  return [...declared, ...implied];
}

/**
 * Returns whether the column is called `id`, or `player_id` in `player` or `players`.
 * @param {string} table
 * @param {string} column
 */
function isCalledKey(table, column) {
  const plain = (/** @type {string} */ name) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const called = plain(column);
  return (
    called === 'id' || [plain(table), plain(table).replace(/s$/, '')].some((name) => called === `${name}id`)
  );
}

/** @param {string} table @param {string} column */
const toName = (table, column) => `${table}.${column}`.toLowerCase();
