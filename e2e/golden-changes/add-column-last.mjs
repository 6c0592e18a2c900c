// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addColumnLast = defineChange({
  what: 'a nullable column is added at the end',
  change: 'ALTER TABLE items ADD COLUMN size INT NULL',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: null }), created: { size: null } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
