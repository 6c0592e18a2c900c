// @ts-check
import { defineChange } from '../support/schemas/golden-change.mjs';

export const widenKeyAlone = defineChange({
  what: 'a key without references becomes wider, on a table with a trigger of its owner',
  isAlone: true,
  more: `CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(70) NOT NULL, what VARCHAR(10) NOT NULL, KEY log_mark (mark));
  CREATE TRIGGER items_made AFTER INSERT ON items FOR EACH ROW INSERT INTO log (mark, what) VALUES (NEW.mark, 'made');`,
  change: 'ALTER TABLE items MODIFY COLUMN id BIGINT AUTO_INCREMENT',
  undo: 'ALTER TABLE items MODIFY COLUMN id INT AUTO_INCREMENT',
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
  holds: [
    // Each existing item was logged once when it was created, and no item twice.
    "SELECT 1 FROM {items} i LEFT JOIN log l ON l.mark = i.mark AND l.what = 'made' WHERE l.id IS NULL LIMIT 1",
    'SELECT mark FROM log GROUP BY mark, what HAVING COUNT(*) > 1 LIMIT 1',
  ],
});

export const widenKeyOfFamily = defineChange({
  what: 'a key becomes wider together with its references by CASCADE and by SET NULL',
  change: `ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id BIGINT AUTO_INCREMENT; ALTER TABLE notes MODIFY COLUMN item_id BIGINT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id BIGINT NULL;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL`,
  undo: `ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id INT AUTO_INCREMENT; ALTER TABLE notes MODIFY COLUMN item_id INT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id INT NULL;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL`,
  strategies: { mariadb: 'rebuild_family', mysql: 'rebuild_family' },
});

export const widenKeyOfCascades = defineChange({
  what: 'a key becomes wider that two tables refer to by CASCADE, on a table with a trigger of its owner',
  pinned: 'ON DELETE CASCADE',
  more: `CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(70) NOT NULL, what VARCHAR(10) NOT NULL, KEY log_mark (mark));
  CREATE TRIGGER items_made AFTER INSERT ON items FOR EACH ROW INSERT INTO log (mark, what) VALUES (NEW.mark, 'made');`,
  change: `ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id BIGINT AUTO_INCREMENT; ALTER TABLE notes MODIFY COLUMN item_id BIGINT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id BIGINT NULL;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE`,
  undo: `ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id INT AUTO_INCREMENT; ALTER TABLE notes MODIFY COLUMN item_id INT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id INT NULL;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE`,
  strategies: { mariadb: 'rebuild_family', mysql: 'rebuild_family' },
  holds: [
    // Each existing item was logged once when it was created, and no item twice.
    "SELECT 1 FROM {items} i LEFT JOIN log l ON l.mark = i.mark AND l.what = 'made' WHERE l.id IS NULL LIMIT 1",
    'SELECT mark FROM log GROUP BY mark, what HAVING COUNT(*) > 1 LIMIT 1',
  ],
});

export const widenKeyOfSelfReference = defineChange({
  what: 'a key becomes wider to which its own table and others refer',
  columns:
    'above_id INT NULL, CONSTRAINT items_above FOREIGN KEY (above_id) REFERENCES items (id) ON DELETE CASCADE',
  seed: { above_id: 'IF(i % 3 = 0, i - 1, NULL)' },
  change: `ALTER TABLE items DROP FOREIGN KEY items_above; ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id BIGINT AUTO_INCREMENT, MODIFY COLUMN above_id BIGINT NULL; ALTER TABLE notes MODIFY COLUMN item_id BIGINT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id BIGINT NULL;
  ALTER TABLE items ADD CONSTRAINT items_above FOREIGN KEY (above_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL`,
  undo: `ALTER TABLE items DROP FOREIGN KEY items_above; ALTER TABLE notes DROP FOREIGN KEY notes_item; ALTER TABLE pins DROP FOREIGN KEY pins_item;
  ALTER TABLE items MODIFY COLUMN id INT AUTO_INCREMENT, MODIFY COLUMN above_id INT NULL; ALTER TABLE notes MODIFY COLUMN item_id INT NOT NULL; ALTER TABLE pins MODIFY COLUMN item_id INT NULL;
  ALTER TABLE items ADD CONSTRAINT items_above FOREIGN KEY (above_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE notes ADD CONSTRAINT notes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE;
  ALTER TABLE pins ADD CONSTRAINT pins_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE SET NULL`,
  before: { seeded: (i) => ({ above_id: i % 3 === 0 ? i - 1 : null }), created: { above_id: null } },
  after: { seeded: (i) => ({ above_id: i % 3 === 0 ? i - 1 : null }), created: { above_id: null } },
  strategies: { mariadb: 'rebuild_family', mysql: 'rebuild_family' },
  holds: [
    'SELECT 1 FROM {items} c LEFT JOIN {items} p ON p.id = c.above_id WHERE c.above_id IS NOT NULL AND p.id IS NULL LIMIT 1',
  ],
});

const { change, undo, strategies } = widenKeyOfFamily;

export const widenKeyWithTriggers = defineChange({
  what: 'the same on a table with triggers of its owner',
  more: `CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(70) NOT NULL, what VARCHAR(10) NOT NULL, KEY log_mark (mark));
  CREATE TRIGGER items_made AFTER INSERT ON items FOR EACH ROW INSERT INTO log (mark, what) VALUES (NEW.mark, 'made');
  CREATE TRIGGER items_gone AFTER DELETE ON items FOR EACH ROW INSERT INTO log (mark, what) VALUES (OLD.mark, 'gone');
  CREATE TRIGGER items_title BEFORE INSERT ON items FOR EACH ROW SET NEW.title = LOWER(NEW.title);`,
  change,
  undo,
  strategies,
  holds: [
    // Each existing item was logged once when it was created, and no item twice.
    "SELECT 1 FROM {items} i LEFT JOIN log l ON l.mark = i.mark AND l.what = 'made' WHERE l.id IS NULL LIMIT 1",
    'SELECT mark FROM log GROUP BY mark, what HAVING COUNT(*) > 1 LIMIT 1',
  ],
});
