// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const decimalWider = defineChange({
  what: 'a decimal column becomes wider',
  columns: 'size DECIMAL(8,2) NOT NULL DEFAULT 7',
  seed: { size: 'i % 90' },
  change: 'ALTER TABLE items MODIFY COLUMN size DECIMAL(12,4) NOT NULL DEFAULT 7',
  undo: 'ALTER TABLE items MODIFY COLUMN size DECIMAL(8,2) NOT NULL DEFAULT 7',
  before: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  after: { seeded: () => ({ size: ANY }), created: { size: ANY } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
