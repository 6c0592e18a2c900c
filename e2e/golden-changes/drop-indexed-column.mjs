// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const dropIndexedColumn = defineChange({
  what: 'a column and its index are dropped',
  columns: 'size INT NULL, KEY items_size (size)',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items DROP COLUMN size',
  undo: 'ALTER TABLE items ADD COLUMN size INT NULL, ADD KEY items_size (size)',
  before: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'nocopy,keep_columns', mysql: 'inplace,keep_columns' },
});
