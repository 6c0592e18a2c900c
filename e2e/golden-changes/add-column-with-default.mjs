// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addColumnWithDefault = defineChange({
  what: 'a column that has to have a value, and a default',
  change: "ALTER TABLE items ADD COLUMN size INT NOT NULL DEFAULT 7",
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: 7 }), made: { size: 7 } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
