// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const addColumnOfNow = defineChange({
  what: 'a column is added that holds the time of the change in existing rows',
  change: 'ALTER TABLE items ADD COLUMN made_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP',
  undo: 'ALTER TABLE items DROP COLUMN made_at',
  after: { seeded: () => ({ made_at: ANY }), created: { made_at: ANY } },
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
