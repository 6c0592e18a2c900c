// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const dropIndex = defineChange({
  what: 'an index is dropped',
  columns: 'KEY items_title (title)',
  change: 'ALTER TABLE items DROP INDEX items_title',
  undo: 'ALTER TABLE items ADD INDEX items_title (title)',
  strategies: { mariadb: 'nocopy', mysql: 'inplace' },
});
