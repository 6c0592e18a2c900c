// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const reorderColumn = defineChange({
  what: 'a column moves to the front',
  change: 'ALTER TABLE items MODIFY COLUMN title VARCHAR(50) NOT NULL FIRST',
  undo: 'ALTER TABLE items MODIFY COLUMN title VARCHAR(50) NOT NULL AFTER owner_id',
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});
