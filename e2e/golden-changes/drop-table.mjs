// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const dropTable = defineChange({
  what: 'a table with rows and a reference is dropped',
  more: 'CREATE TABLE likes (id INT AUTO_INCREMENT PRIMARY KEY, item_id INT NOT NULL, CONSTRAINT likes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE);',
  moreSeed: 'INSERT INTO likes (item_id) SELECT id FROM items WHERE id <= 50',
  change: 'DROP TABLE likes',
  undo: 'CREATE TABLE likes (id INT AUTO_INCREMENT PRIMARY KEY, item_id INT NOT NULL, CONSTRAINT likes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE)',
  strategies: { mariadb: 'keep_table', mysql: 'keep_table' },
});
