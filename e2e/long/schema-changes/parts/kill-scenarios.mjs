// @ts-check
/**
 * Migrations that together use every strategy for a change. Each has conditions that must hold afterwards,
 * wherever it was killed.
 */

/**
 * @typedef {object} KillScenario
 * @property {string} name
 * @property {string} tables
 * @property {string[]} fill statements to run over a direct connection
 * @property {string | null} change null to revert the newest migration
 * @property {string} [first] a change to deploy first, without kills
 * @property {string[]} counts selects whose results are equal before and after
 * @property {string[]} holds selects that return no rows, before and after
 */

const NUMBERS = (/** @type {number} */ count) =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000), m (i) AS (SELECT a.i + 1000 * (b.i - 1) FROM n a JOIN n b ON b.i <= ${Math.ceil(count / 1000)})`;

const TREE = `
  CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20));
  CREATE TABLE nodes (id INT AUTO_INCREMENT PRIMARY KEY, user_id INT NULL, parent_id INT NULL, name VARCHAR(50) NULL,
    CONSTRAINT nodes_owned FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE, CONSTRAINT nodes_above FOREIGN KEY (parent_id) REFERENCES nodes (id) ON DELETE CASCADE);
  CREATE TABLE leaves (id INT AUTO_INCREMENT PRIMARY KEY, node_id INT NOT NULL, CONSTRAINT leaves_hang FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE);
  CREATE TABLE pins (id INT AUTO_INCREMENT PRIMARY KEY, node_id INT NULL, CONSTRAINT pins_about FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE SET NULL);
  CREATE TABLE audit (id INT AUTO_INCREMENT PRIMARY KEY, node_id INT NULL);
  CREATE TRIGGER nodes_audit AFTER INSERT ON nodes FOR EACH ROW INSERT INTO audit (node_id) VALUES (NEW.id);`;
const FILL_TREE = [
  `INSERT INTO users (name) VALUES ('ada')`,
  `INSERT INTO nodes (id, user_id, name) ${NUMBERS(6_000)} SELECT i, 1, CONCAT('n', i) FROM m ORDER BY i`,
  'UPDATE nodes SET parent_id = id - 1 WHERE id % 3 = 0',
  'INSERT INTO leaves (node_id) SELECT id FROM nodes',
  'INSERT INTO pins (node_id) SELECT id FROM nodes',
];
const TREE_COUNTS = [
  'SELECT COUNT(*), COUNT(parent_id), COUNT(user_id), SUM(id), SUM(CRC32(name)) FROM nodes',
  'SELECT COUNT(*), SUM(node_id) FROM leaves',
  'SELECT COUNT(*), SUM(node_id) FROM pins',
  'SELECT COUNT(*) FROM audit',
];
const TREE_HOLDS = [
  'SELECT 1 FROM leaves c LEFT JOIN nodes p ON p.id = c.node_id WHERE p.id IS NULL LIMIT 1',
  'SELECT 1 FROM nodes c LEFT JOIN nodes p ON p.id = c.parent_id WHERE c.parent_id IS NOT NULL AND p.id IS NULL LIMIT 1',
];
const LINE = `
  CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50) NOT NULL, bio TEXT);
  CREATE TABLE posts (id INT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(255) NOT NULL, user_id INT NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id));
  CREATE TABLE comments (id INT PRIMARY KEY, post_id INT, FOREIGN KEY (post_id) REFERENCES posts (id));
  CREATE TRIGGER comments_id BEFORE INSERT ON comments FOR EACH ROW SET NEW.post_id = COALESCE(NEW.post_id, 1);`;
const FILL_LINE = [
  `INSERT INTO users (username, bio) VALUES ('ada', 'x'), ('bob', 'y')`,
  `INSERT INTO posts (title, user_id) VALUES ('first', 1), ('second', 2)`,
  'INSERT INTO comments (id, post_id) VALUES (1, 1), (2, 2)',
];
const LINE_DROPS = 'ALTER TABLE users DROP COLUMN bio; DROP TABLE comments';

/** @type {KillScenario[]} */
export const KILL_SCENARIOS = [
  {
    name: 'instant, in place, rename, constraints, create, kept drops',
    tables: LINE,
    fill: FILL_LINE,
    change: `ALTER TABLE users ADD COLUMN nick VARCHAR(40), ADD COLUMN country CHAR(2) NOT NULL, DROP COLUMN bio; ALTER TABLE posts RENAME COLUMN title TO headline;
      ALTER TABLE posts ADD INDEX by_headline (headline), ADD COLUMN editor_id INT, ADD CONSTRAINT edited FOREIGN KEY (editor_id) REFERENCES users (id);
      CREATE TABLE likes (id INT AUTO_INCREMENT PRIMARY KEY, post_id INT NOT NULL, FOREIGN KEY (post_id) REFERENCES posts (id)); DROP TABLE comments`,
    counts: ['SELECT COUNT(*), SUM(CRC32(username)) FROM users', 'SELECT COUNT(*), SUM(user_id) FROM posts'],
    holds: [],
  },
  {
    name: 'kept drops taken back',
    tables: LINE,
    fill: FILL_LINE,
    first: LINE_DROPS,
    change: null,
    counts: ['SELECT COUNT(*), SUM(CRC32(username)) FROM users'],
    holds: [
      'SELECT 1 FROM users WHERE bio IS NULL LIMIT 1',
      'SELECT 1 FROM (SELECT COUNT(*) AS n FROM comments) c WHERE n <> 2',
    ],
  },
  {
    name: 'rebuild with triggers, parents and children',
    tables: TREE,
    fill: FILL_TREE,
    change: 'ALTER TABLE nodes MODIFY name VARCHAR(200) NULL',
    counts: TREE_COUNTS,
    holds: TREE_HOLDS,
  },
  {
    name: 'rebuild of a family',
    tables: TREE,
    fill: FILL_TREE,
    change: `ALTER TABLE leaves DROP FOREIGN KEY leaves_hang; ALTER TABLE pins DROP FOREIGN KEY pins_about; ALTER TABLE nodes DROP FOREIGN KEY nodes_above;
      ALTER TABLE nodes MODIFY id BIGINT AUTO_INCREMENT, MODIFY parent_id BIGINT NULL; ALTER TABLE leaves MODIFY node_id BIGINT NOT NULL; ALTER TABLE pins MODIFY node_id BIGINT NULL;
      ALTER TABLE nodes ADD CONSTRAINT nodes_above FOREIGN KEY (parent_id) REFERENCES nodes (id) ON DELETE CASCADE;
      ALTER TABLE leaves ADD CONSTRAINT leaves_hang FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE CASCADE;
      ALTER TABLE pins ADD CONSTRAINT pins_about FOREIGN KEY (node_id) REFERENCES nodes (id) ON DELETE SET NULL`,
    counts: TREE_COUNTS,
    holds: TREE_HOLDS,
  },
  {
    name: 'locked copy',
    tables: 'CREATE TABLE loose (a INT NULL, name VARCHAR(50) NULL, KEY (a));',
    fill: [`INSERT INTO loose ${NUMBERS(6_000)} SELECT i % 100, CONCAT('n', i) FROM m`],
    change: 'ALTER TABLE loose MODIFY a BIGINT NULL',
    counts: ['SELECT COUNT(*), SUM(a), SUM(CRC32(name)) FROM loose'],
    holds: [],
  },
  {
    name: 'a trigger in the place of another',
    tables: `CREATE TABLE things (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50) NULL); CREATE TRIGGER things_name BEFORE INSERT ON things FOR EACH ROW SET NEW.name = UPPER(NEW.name);`,
    fill: [`INSERT INTO things (name) VALUES ('x')`],
    change:
      'DROP TRIGGER things_name; CREATE TRIGGER things_name BEFORE INSERT ON things FOR EACH ROW SET NEW.name = LOWER(NEW.name)',
    counts: ['SELECT COUNT(*) FROM things'],
    holds: [
      `SELECT 1 FROM (SELECT COUNT(*) AS n FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()) t WHERE n <> 1`,
    ],
  },
];
