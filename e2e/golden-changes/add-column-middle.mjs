// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addColumnMiddle = defineChange({
  what: 'a column is added between others',
  change: "ALTER TABLE items ADD COLUMN size VARCHAR(9) NOT NULL DEFAULT 'x' AFTER mark",
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: 'x' }), created: { size: 'x' } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
