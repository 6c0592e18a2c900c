// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const dropColumn = defineChange({
  what: 'a column is dropped',
  columns: 'size INT NULL',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items DROP COLUMN size',
  undo: 'ALTER TABLE items ADD COLUMN size INT NULL',
  before: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'keep_columns', mysql: 'keep_columns' },
});
