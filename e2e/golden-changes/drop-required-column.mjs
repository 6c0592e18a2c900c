// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const dropRequiredColumn = defineChange({
  what: 'a required column is dropped',
  columns: 'size INT NOT NULL',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items DROP COLUMN size',
  undo: 'ALTER TABLE items ADD COLUMN size INT NOT NULL',
  before: { seeded: () => ({ size: ANY }), created: { size: ANY }, sends: { size: 5 } },
  refusals: ['body.invalid'],
  strategies: { mariadb: 'instant,keep_columns', mysql: 'instant,keep_columns' },
});
