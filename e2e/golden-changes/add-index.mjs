// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addIndex = defineChange({
  what: 'an index is added',
  change: 'ALTER TABLE items ADD INDEX items_title (title)',
  undo: 'ALTER TABLE items DROP INDEX items_title',
  strategies: { mariadb: 'nocopy', mysql: 'inplace' },
});
