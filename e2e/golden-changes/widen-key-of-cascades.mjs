// @ts-check
import { defineChange } from '../support/golden-change.mjs';

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
