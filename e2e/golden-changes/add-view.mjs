// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addView = defineChange({
  what: 'a view is added',
  change: 'CREATE VIEW first_items AS SELECT id, mark FROM items WHERE id < 100',
  undo: 'DROP VIEW first_items',
  strategies: { mariadb: 'create', mysql: 'create' },
});
