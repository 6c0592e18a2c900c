// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const addStoredColumn = defineChange({
  what: 'a stored generated column is added',
  change: 'ALTER TABLE items ADD COLUMN size INT GENERATED ALWAYS AS (CHAR_LENGTH(mark)) STORED',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
