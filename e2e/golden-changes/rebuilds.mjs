// @ts-check
import { defineChange } from '../support/schemas/golden-change.mjs';

export const rebuildChild = defineChange({
  what: 'a table is rebuilt whose foreign key cascades deletes and updates',
  owned: 'ON DELETE CASCADE ON UPDATE CASCADE',
  columns:
    'size INT NOT NULL DEFAULT 7, editor_id INT NULL, CONSTRAINT items_editor FOREIGN KEY (editor_id) REFERENCES owners (id) ON DELETE SET NULL ON UPDATE CASCADE',
  seed: { size: 'i % 90', editor_id: '1 + i % 50' },
  change: 'ALTER TABLE items MODIFY COLUMN size VARCHAR(20) NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: {
    seeded: (i) => ({ size: i % 90, editor_id: 1 + (i % 50) }),
    created: { size: 7, editor_id: null },
  },
  after: {
    seeded: (i) => ({ size: String(i % 90), editor_id: 1 + (i % 50) }),
    created: { size: '7', editor_id: null },
  },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
  holds: [
    'SELECT 1 FROM {items} c LEFT JOIN owners p ON p.id = c.editor_id WHERE c.editor_id IS NOT NULL AND p.id IS NULL LIMIT 1',
  ],
});

export const rebuildSelfReference = defineChange({
  what: 'a table that refers to itself is rebuilt',
  columns:
    'size INT NOT NULL DEFAULT 7, above_id INT NULL, CONSTRAINT items_above FOREIGN KEY (above_id) REFERENCES items (id) ON DELETE SET NULL',
  seed: { size: 'i % 90', above_id: 'IF(i > 1, i - 1, NULL)' },
  change: 'ALTER TABLE items MODIFY COLUMN size BIGINT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: {
    seeded: (i) => ({ size: i % 90, above_id: i > 1 ? i - 1 : null }),
    created: { size: 7, above_id: null },
  },
  after: {
    seeded: (i) => ({ size: i % 90, above_id: i > 1 ? i - 1 : null }),
    created: { size: 7, above_id: null },
  },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
  holds: [
    'SELECT 1 FROM {items} c LEFT JOIN {items} p ON p.id = c.above_id WHERE c.above_id IS NOT NULL AND p.id IS NULL LIMIT 1',
  ],
});

export const rebuildWithTriggers = defineChange({
  what: 'a table with triggers of its owner is rebuilt',
  columns: 'size INT NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  more: `CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(70) NOT NULL, what VARCHAR(10) NOT NULL, KEY log_mark (mark));
  CREATE TRIGGER items_made AFTER INSERT ON items FOR EACH ROW INSERT INTO log (mark, what) VALUES (NEW.mark, 'made');
  CREATE TRIGGER items_gone AFTER DELETE ON items FOR EACH ROW INSERT INTO log (mark, what) VALUES (OLD.mark, 'gone');
  CREATE TRIGGER items_title BEFORE INSERT ON items FOR EACH ROW SET NEW.title = LOWER(NEW.title);`,
  change: 'ALTER TABLE items MODIFY COLUMN size BIGINT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size INT NOT NULL DEFAULT 7',
  before: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  after: { seeded: (i) => ({ size: i % 90 }), created: { size: 7 } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
  holds: [
    // Each existing item was logged once when it was created, and no item twice.
    "SELECT 1 FROM {items} i LEFT JOIN log l ON l.mark = i.mark AND l.what = 'made' WHERE l.id IS NULL LIMIT 1",
    'SELECT mark FROM log GROUP BY mark, what HAVING COUNT(*) > 1 LIMIT 1',
  ],
});
