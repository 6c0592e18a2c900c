// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const renameIndex = defineChange({
  what: 'an index is renamed',
  columns: 'KEY items_title (title)',
  change: 'ALTER TABLE items RENAME INDEX items_title TO items_headline',
  undo: 'ALTER TABLE items RENAME INDEX items_headline TO items_title',
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});
