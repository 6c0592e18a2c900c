// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const dropPrimaryKey = defineChange({
  what: 'the primary key is dropped, and another unique key stays',
  columns: 'UNIQUE KEY items_id (id)',
  change: 'ALTER TABLE items DROP PRIMARY KEY',
  undo: 'ALTER TABLE items ADD PRIMARY KEY (id)',
  strategies: { mariadb: 'nocopy', mysql: 'rebuild' },
});
