// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const commentTable = defineChange({
  what: 'a table gets a comment',
  change: "ALTER TABLE items COMMENT = 'counted'",
  undo: "ALTER TABLE items COMMENT = ''",
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});
