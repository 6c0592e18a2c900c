// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addColumnLast = defineChange({
  what: 'a column behind the last, which may be NULL',
  change: "ALTER TABLE items ADD COLUMN size INT NULL",
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: null }), made: { size: null } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
