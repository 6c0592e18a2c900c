// @ts-check
import { defineChange } from '../support/schemas/golden-change.mjs';

export const addTable = defineChange({
  what: 'a table with a reference and a table without one are added',
  change:
    'CREATE TABLE likes (id INT AUTO_INCREMENT PRIMARY KEY, item_id INT NOT NULL, CONSTRAINT likes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE); CREATE TABLE loose (id INT PRIMARY KEY)',
  undo: 'DROP TABLE likes; DROP TABLE loose',
  strategies: { mariadb: 'create,create', mysql: 'create,create' },
});

export const renameTable = defineChange({
  what: 'a table that others refer to is renamed',
  change: 'ALTER TABLE items RENAME TO things',
  undo: 'ALTER TABLE things RENAME TO items',
  after: { table: 'things' },
  refusals: ['table.not_found', 'query.unknown_table'],
  strategies: { mariadb: 'instant', mysql: 'instant' },
});

export const dropTable = defineChange({
  what: 'a table with rows and a reference is dropped',
  more: 'CREATE TABLE likes (id INT AUTO_INCREMENT PRIMARY KEY, item_id INT NOT NULL, CONSTRAINT likes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE);',
  moreSeed: 'INSERT INTO likes (item_id) SELECT id FROM items WHERE id <= 50',
  change: 'DROP TABLE likes',
  undo: 'CREATE TABLE likes (id INT AUTO_INCREMENT PRIMARY KEY, item_id INT NOT NULL, CONSTRAINT likes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE)',
  strategies: { mariadb: 'keep_table', mysql: 'keep_table' },
});

export const commentTable = defineChange({
  what: 'a table gets a comment',
  change: "ALTER TABLE items COMMENT = 'counted'",
  undo: "ALTER TABLE items COMMENT = ''",
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});

export const tableCharset = defineChange({
  what: 'the default character set of a table changes',
  change: 'ALTER TABLE items DEFAULT CHARACTER SET latin1 COLLATE latin1_swedish_ci',
  undo: 'ALTER TABLE items DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci',
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});

export const convertTableCharset = defineChange({
  what: 'all text columns of a table get another collation',
  change: 'ALTER TABLE items CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
  undo: 'ALTER TABLE items CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci',
  strategies: { mariadb: 'instant,nocopy', mysql: 'inplace,rebuild' },
});

export const addView = defineChange({
  what: 'a view is added',
  change: 'CREATE VIEW first_items AS SELECT id, mark FROM items WHERE id < 100',
  undo: 'DROP VIEW first_items',
  strategies: { mariadb: 'create', mysql: 'create' },
});

export const changeView = defineChange({
  what: 'a view gets more columns',
  more: 'CREATE VIEW first_items AS SELECT id, mark FROM items WHERE id < 100;',
  change: 'CREATE OR REPLACE VIEW first_items AS SELECT id, mark, title FROM items WHERE id < 200',
  undo: 'CREATE OR REPLACE VIEW first_items AS SELECT id, mark FROM items WHERE id < 100',
  strategies: { mariadb: 'create', mysql: 'create' },
});

export const replaceTrigger = defineChange({
  what: 'a trigger is replaced',
  columns: 'size INT NOT NULL DEFAULT 7',
  more: 'CREATE TRIGGER items_size BEFORE INSERT ON items FOR EACH ROW SET NEW.size = 8;',
  change:
    'DROP TRIGGER items_size; CREATE TRIGGER items_size BEFORE INSERT ON items FOR EACH ROW SET NEW.size = 9',
  undo: 'DROP TRIGGER items_size; CREATE TRIGGER items_size BEFORE INSERT ON items FOR EACH ROW SET NEW.size = 8',
  before: { seeded: () => ({ size: 8 }), created: { size: 8 } },
  after: { seeded: () => ({ size: 8 }), created: { size: 9 } },
  strategies: { mariadb: 'create', mysql: 'replace' },
});
