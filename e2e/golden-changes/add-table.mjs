// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addTable = defineChange({
  what: 'a table with a reference and a table without one are added',
  change:
    'CREATE TABLE likes (id INT AUTO_INCREMENT PRIMARY KEY, item_id INT NOT NULL, CONSTRAINT likes_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE); CREATE TABLE loose (id INT PRIMARY KEY)',
  undo: 'DROP TABLE likes; DROP TABLE loose',
  strategies: { mariadb: 'create,create', mysql: 'create,create' },
});
