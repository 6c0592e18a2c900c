// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const tableCharset = defineChange({
  what: 'the default character set of a table changes',
  change: 'ALTER TABLE items DEFAULT CHARACTER SET latin1 COLLATE latin1_swedish_ci',
  undo: 'ALTER TABLE items DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci',
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});
