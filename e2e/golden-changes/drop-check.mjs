// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const dropCheck = defineChange({
  what: 'a check constraint is dropped',
  columns: 'CONSTRAINT items_hits CHECK (hits >= 0)',
  change: 'ALTER TABLE items DROP CONSTRAINT items_hits',
  undo: 'ALTER TABLE items ADD CONSTRAINT items_hits CHECK (hits >= 0)',
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
