// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const convertTableCharset = defineChange({
  what: 'all text columns of a table get another collation',
  change: 'ALTER TABLE items CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
  undo: 'ALTER TABLE items CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci',
  strategies: { mariadb: 'instant,nocopy', mysql: 'inplace,rebuild' },
});
