// @ts-check
import { defineChange } from '../support/golden-change.mjs';
import { widenKeyOfFamily } from './widen-key-of-family.mjs';

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
