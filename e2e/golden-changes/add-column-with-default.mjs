// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addColumnWithDefault = defineChange({
  what: 'a NOT NULL column with a default is added',
  change: 'ALTER TABLE items ADD COLUMN size INT NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: 7 }), created: { size: 7 } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
