// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const changeView = defineChange({
  what: 'a view gets more columns',
  more: 'CREATE VIEW first_items AS SELECT id, mark FROM items WHERE id < 100;',
  change: 'CREATE OR REPLACE VIEW first_items AS SELECT id, mark, title FROM items WHERE id < 200',
  undo: 'CREATE OR REPLACE VIEW first_items AS SELECT id, mark FROM items WHERE id < 100',
  strategies: { mariadb: 'create', mysql: 'create' },
});
