// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const renameTable = defineChange({
  what: 'a table that others refer to is renamed',
  change: 'ALTER TABLE items RENAME TO things',
  undo: 'ALTER TABLE things RENAME TO items',
  after: { table: 'things' },
  refusals: ['table.not_found', 'query.unknown_table'],
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
