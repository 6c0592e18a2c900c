// @ts-check
/**
 * Creates statements that an owner might type over a connection string. The generator tracks the tables, so
 * that the server accepts each statement. It creates no procedures, because the platform does not serve
 * procedures that were created over a direct connection.
 */

/**
 * @typedef {import('@rowhouse/schema-model/testing').Random} Random
 * @typedef {{ columns: string[], indexes: string[], triggers: string[], parent: string | null }} KnownTable
 * @typedef {{ kind: string, sql: string }} DirectDdl
 */

const TYPES = [
  'INT NULL',
  "VARCHAR(40) NOT NULL DEFAULT 'x'",
  'DECIMAL(10,2) NULL',
  'DATETIME NULL',
  'TEXT NULL',
  'BIGINT NOT NULL DEFAULT 0',
];

/** @param {Random} random */
export function createRandomDdl(random) {
  /** @type {Map<string, KnownTable>} */
  const tables = new Map();
  /** @type {string[]} */
  const views = [];
  let count = 0;
  const fresh = (/** @type {string} */ prefix) => `${prefix}${(count += 1)}`;
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => /** @type {T} */ (list[random.integer(list.length)]);
  const some = () => pick([...tables.keys()]);
  const know = (/** @type {string} */ name) => /** @type {KnownTable} */ (tables.get(name));
  /** @template T @param {T[]} list @param {T} item */
  const drop = (list, item) => void list.splice(list.indexOf(item), 1);

  /**
   * The kinds of statements. A function returns null when there is nothing to apply it to.
   * @type {Record<string, () => string | null>}
   */
  const kinds = {
    'create table'() {
      const name = fresh('t');
      const parent = tables.size > 2 && random.integer(2) === 0 ? some() : null;
      tables.set(name, { columns: ['name'], indexes: [], triggers: [], parent });
      const key =
        parent === null
          ? ''
          : `, above_id INT NULL, CONSTRAINT ${name}_above FOREIGN KEY (above_id) REFERENCES ${parent} (id)`;
      return `CREATE TABLE ${name} (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NULL${key})`;
    },
    'drop table'() {
      const free = [...tables.keys()].filter(
        (name) => ![...tables.values()].some((table) => table.parent === name),
      );
      if (tables.size < 5 || free.length === 0) return null;
      const name = pick(free);
      tables.delete(name);
      return `DROP TABLE ${name}`;
    },
    'rename table'() {
      const name = some();
      const next = fresh('t');
      // A trigger remains valid when its table is renamed. A view would not, so no view refers to a table
      // that may be renamed.
      const known = know(name);
      tables.delete(name);
      tables.set(next, known);
      for (const table of tables.values()) if (table.parent === name) table.parent = next;
      return `RENAME TABLE ${name} TO ${next}`;
    },
    'add column'() {
      const name = some();
      const column = fresh('c');
      know(name).columns.push(column);
      return `ALTER TABLE ${name} ADD COLUMN ${column} ${pick(TYPES)}`;
    },
    'drop column'() {
      const wide = [...tables.entries()].filter(([, table]) => table.columns.length > 1);
      if (wide.length === 0) return null;
      const [name, table] = pick(wide);
      const column = pick(table.columns.slice(1));
      drop(table.columns, column);
      return `ALTER TABLE ${name} DROP COLUMN ${column}`;
    },
    'rename column'() {
      const wide = [...tables.entries()].filter(([, table]) => table.columns.length > 1);
      if (wide.length === 0) return null;
      const [name, table] = pick(wide);
      const column = pick(table.columns.slice(1));
      const next = fresh('c');
      table.columns[table.columns.indexOf(column)] = next;
      return `ALTER TABLE ${name} RENAME COLUMN ${column} TO ${next}`;
    },
    'change column': () => `ALTER TABLE ${some()} MODIFY COLUMN name VARCHAR(${50 + (count += 1)}) NULL`,
    'add index'() {
      const name = some();
      const index = fresh('i');
      know(name).indexes.push(index);
      return `CREATE INDEX ${index} ON ${name} (name)`;
    },
    'drop index'() {
      const indexed = [...tables.entries()].filter(([, table]) => table.indexes.length > 0);
      if (indexed.length === 0) return null;
      const [name, table] = pick(indexed);
      const index = pick(table.indexes);
      drop(table.indexes, index);
      return `DROP INDEX ${index} ON ${name}`;
    },
    'create view'() {
      const view = fresh('v');
      views.push(view);
      return `CREATE VIEW ${view} AS SELECT id, name FROM fixed`;
    },
    'change view': () =>
      views.length === 0
        ? null
        : `CREATE OR REPLACE VIEW ${pick(views)} AS SELECT id, name, ${(count += 1)} AS number FROM fixed`,
    'drop view'() {
      if (views.length === 0) return null;
      const view = pick(views);
      drop(views, view);
      return `DROP VIEW ${view}`;
    },
    'create trigger'() {
      const name = some();
      const trigger = fresh('g');
      know(name).triggers.push(trigger);
      return `CREATE TRIGGER ${trigger} BEFORE INSERT ON ${name} FOR EACH ROW SET NEW.name = LEFT(NEW.name, 30)`;
    },
    'drop trigger'() {
      const watched = [...tables.values()].filter((table) => table.triggers.length > 0);
      if (watched.length === 0) return null;
      const table = pick(watched);
      const trigger = pick(table.triggers);
      drop(table.triggers, trigger);
      return `DROP TRIGGER ${trigger}`;
    },
  };

  return {
    kinds: Object.keys(kinds),
    /** Lists the tables that exist now. */
    tables: () => [...tables.keys()],
    views: () => [...views],
    /** @returns {DirectDdl} */
    next() {
      for (;;) {
        const kind = tables.size < 4 ? 'create table' : pick(Object.keys(kinds));
        const sql = kinds[kind]?.() ?? null;
        if (sql !== null) return { kind, sql };
      }
    },
  };
}
