// @ts-check
import { defineChange } from '../support/golden-change.mjs';

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
