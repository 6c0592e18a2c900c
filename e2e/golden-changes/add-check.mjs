// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addCheck = defineChange({
  what: 'a check constraint is added',
  change: 'ALTER TABLE items ADD CONSTRAINT items_hits CHECK (hits >= 0)',
  undo: 'ALTER TABLE items DROP CONSTRAINT items_hits',
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
