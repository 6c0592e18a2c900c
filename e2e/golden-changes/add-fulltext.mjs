// @ts-check
import { defineChange } from '../support/golden-change.mjs';

export const addFulltext = defineChange({
  what: 'a full-text index is added, which alone would block writes',
  change: 'ALTER TABLE items ADD FULLTEXT INDEX items_words (title)',
  undo: 'ALTER TABLE items DROP INDEX items_words',
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});
