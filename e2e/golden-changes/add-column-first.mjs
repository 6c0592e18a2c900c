// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addColumnFirst = defineChange({
  what: 'a column is added before all others',
  change: 'ALTER TABLE items ADD COLUMN size INT NULL FIRST',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: null }), created: { size: null } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
