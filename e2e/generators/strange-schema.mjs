// @ts-check
/**
 * Writes a schema that is difficult for client generators: every type, every kind of table, and unusual
 * names.
 */
import { COLUMN_TYPES } from '@rowhouse/schema-model/testing';

/**
 * Names that collide with generated code, with the document or in camel case, or that cannot be identifiers.
 */
const TABLE_NAMES = [
  'query',
  'QueryResult',
  'query_request',
  'Error',
  'ValidationError',
  'filters',
  'Response',
  'options',
  'user_role',
  'UserRole',
  'user-roles',
  'user roles',
  'order',
  'class',
  'default',
  'string',
  'Object',
  'Array',
  'Promise',
  'Date',
  'Database',
  'index',
  'Größe',
  '名前',
  '1st',
  '42',
  'odd table',
  "it's",
  'with,comma',
  '{id}',
  'per%cent',
  'constructor',
  '_hidden',
  'list_tasks',
];
/** The tables that refer to `tasks`, so that their names become members of its records. */
const REFERRING = new Set([
  'query',
  'Error',
  'user-roles',
  'Promise',
  'odd table',
  "it's",
  '名前',
  'constructor',
]);

const COLUMN_NAMES = [
  'page',
  'limit',
  'sort',
  'order',
  'where',
  'filter',
  '_select',
  'body',
  'query',
  'path',
  'headers',
  'url',
  'data',
  'type',
  'key',
  'default',
  'class',
  'enum',
  'null',
  'fooBar',
  'foo_bar',
  'foo-bar',
  'FooBar2',
  'total__gt',
  'odd name',
  'a.b',
  'a->b',
  'br[ack]et',
  'tick`ed',
  "it's",
  'quo"te',
  'back\\slash',
  'amp&ersand',
  'per%cent',
  '$ref',
  '$dollar',
  '{curly}',
  '1st',
  '42',
  'Größe',
  '名前',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '*/',
  'filters',
  'count',
  'select',
];

/** The tables that the programs write, and tables related to them. */
const PLAIN_TABLES = `
CREATE TABLE people (
  id INT AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(100) NOT NULL,
  email VARCHAR(255) NULL UNIQUE
);
CREATE TABLE tasks (
  id INT AUTO_INCREMENT PRIMARY KEY,
  title VARCHAR(200) NOT NULL,
  priority INT NOT NULL DEFAULT 0,
  done BOOLEAN NOT NULL DEFAULT FALSE,
  state ENUM('open', 'on hold', '') NULL,
  price DECIMAL(10,2) NULL,
  notes JSON NULL,
  due DATE NULL,
  owner_id INT NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  FULLTEXT KEY title_words (title),
  FOREIGN KEY (owner_id) REFERENCES people (id)
);
CREATE TABLE labels (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50) NOT NULL, parent_id INT NULL, FOREIGN KEY (parent_id) REFERENCES labels (id));
CREATE TABLE task_labels (
  task_id INT NOT NULL,
  label_id INT NOT NULL,
  PRIMARY KEY (task_id, label_id),
  FOREIGN KEY (task_id) REFERENCES tasks (id) ON DELETE CASCADE,
  FOREIGN KEY (label_id) REFERENCES labels (id)
);
CREATE TABLE things (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, uuid CHAR(36) NOT NULL UNIQUE, name VARCHAR(50) NULL);
CREATE TABLE events (line TEXT NOT NULL, data JSON NOT NULL, happened_at DATETIME(6) NULL);
CREATE VIEW open_tasks AS SELECT id, title, priority, notes FROM tasks WHERE NOT done;
CREATE VIEW \`odd view\` AS SELECT state, COUNT(*) AS \`how many\`, MAX(price) AS \`max(price)\` FROM tasks GROUP BY state;
`;

/** @param {string} name */
const quote = (name) => `\`${name.replaceAll('`', '``')}\``;

/** @param {'mariadb' | 'mysql'} engine */
export function writeStrangeSchema(engine) {
  const types = COLUMN_TYPES[engine];
  /** @param {string} end */
  const columnsOfTypes = (end) =>
    types.map((type, index) => `c${index}_${type.replaceAll(/\W+.*/g, '')} ${toDdl(type)} ${end}`);
  const nullables = columnsOfTypes('NULL');
  const required = columnsOfTypes('NOT NULL').filter((_, index) => !/^timestamp/.test(types[index] ?? ''));
  return [
    PLAIN_TABLES,
    `CREATE TABLE every_type (id INT AUTO_INCREMENT PRIMARY KEY, ${nullables.join(', ')});`,
    `CREATE TABLE every_type_required (id INT AUTO_INCREMENT PRIMARY KEY, ${required.join(', ')});`,
    `CREATE TABLE odd_columns (id INT AUTO_INCREMENT PRIMARY KEY, \`growth%\` ENUM('up', 'down') NULL, ${COLUMN_NAMES.map((name, index) => `${quote(name)} ${index % 2 === 0 ? 'INT NOT NULL DEFAULT 0' : 'VARCHAR(40) NULL'}`).join(', ')});`,
    ...TABLE_NAMES.map(
      (name) =>
        `CREATE TABLE ${quote(name)} (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NULL, task_id INT NULL${REFERRING.has(name) ? ', FOREIGN KEY (task_id) REFERENCES tasks (id)' : ''});`,
    ),
  ].join('\n');
}

/** Removes the display width of integers, which MySQL does not keep. @param {string} type */
function toDdl(type) {
  return /^(?:tinyint\(1\)|\w*(?:char|binary|bit|decimal|float|double|datetime|timestamp|time|vector)\b.*|enum.*|set.*)$/.test(
    type,
  )
    ? type
    : type.replace(/^(\w+)\(\d+\)/, '$1');
}
