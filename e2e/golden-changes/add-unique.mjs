// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addUnique = defineChange({
  what: 'a unique key is added',
  columns: 'size VARCHAR(90) NULL',
  seed: { size: "CONCAT('u', i)" },
  change: 'ALTER TABLE items ADD UNIQUE KEY items_size (size)',
  undo: 'ALTER TABLE items DROP INDEX items_size',
  before: { seeded: (i) => ({ size: `u${i}` }), created: { size: null } },
  after: { seeded: (i) => ({ size: `u${i}` }), created: { size: null } },
  strategies: { mariadb: 'nocopy', mysql: 'inplace' },
});
