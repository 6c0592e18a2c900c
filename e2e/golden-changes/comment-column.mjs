// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const commentColumn = defineChange({
  what: 'a column gets a comment',
  change: "ALTER TABLE items MODIFY COLUMN title VARCHAR(50) NOT NULL COMMENT 'what it is called'",
  undo: 'ALTER TABLE items MODIFY COLUMN title VARCHAR(50) NOT NULL',
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
