// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const addVirtualColumn = defineChange({
  what: 'a virtual generated column is added',
  change: 'ALTER TABLE items ADD COLUMN size INT GENERATED ALWAYS AS (CHAR_LENGTH(mark)) VIRTUAL',
  undo: 'ALTER TABLE items DROP COLUMN size',
  after: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
