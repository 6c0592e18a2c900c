// @ts-check
import { ANY, defineChange } from '../support/golden-change.mjs';

export const addColumnOfExpression = defineChange({
  what: 'a column is added whose default expression differs for each row',
  // MySQL rejects it, because statement-based replication would give other values.
  only: 'mariadb',
  change: 'ALTER TABLE items ADD COLUMN token CHAR(36) NOT NULL DEFAULT (uuid())',
  undo: 'ALTER TABLE items DROP COLUMN token',
  after: { seeded: () => ({ token: ANY }), created: { token: ANY } },
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
