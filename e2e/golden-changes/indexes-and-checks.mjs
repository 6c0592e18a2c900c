// @ts-check
import { defineChange } from '../support/schemas/golden-change.mjs';

export const addIndex = defineChange({
  what: 'an index is added',
  change: 'ALTER TABLE items ADD INDEX items_title (title)',
  undo: 'ALTER TABLE items DROP INDEX items_title',
  strategies: { mariadb: 'nocopy', mysql: 'inplace' },
});

export const renameIndex = defineChange({
  what: 'an index is renamed',
  columns: 'KEY items_title (title)',
  change: 'ALTER TABLE items RENAME INDEX items_title TO items_headline',
  undo: 'ALTER TABLE items RENAME INDEX items_headline TO items_title',
  strategies: { mariadb: 'instant', mysql: 'inplace' },
});

export const dropIndex = defineChange({
  what: 'an index is dropped',
  columns: 'KEY items_title (title)',
  change: 'ALTER TABLE items DROP INDEX items_title',
  undo: 'ALTER TABLE items ADD INDEX items_title (title)',
  strategies: { mariadb: 'nocopy', mysql: 'inplace' },
});

export const addUnique = defineChange({
  what: 'a unique key is added',
  columns: 'size VARCHAR(90) NULL',
  seed: { size: "CONCAT('u', i)" },
  change: 'ALTER TABLE items ADD UNIQUE KEY items_size (size)',
  undo: 'ALTER TABLE items DROP INDEX items_size',
  before: { seeded: (i) => ({ size: `u${i}` }), created: { size: null } },
  after: { seeded: (i) => ({ size: `u${i}` }), created: { size: null } },
  strategies: { mariadb: 'nocopy', mysql: 'inplace' },
});

export const addFulltext = defineChange({
  what: 'a full-text index is added, which alone would block writes',
  change: 'ALTER TABLE items ADD FULLTEXT INDEX items_words (title)',
  undo: 'ALTER TABLE items DROP INDEX items_words',
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});

export const addCheck = defineChange({
  what: 'a check constraint is added',
  change: 'ALTER TABLE items ADD CONSTRAINT items_hits CHECK (hits >= 0)',
  undo: 'ALTER TABLE items DROP CONSTRAINT items_hits',
  strategies: { mariadb: 'rebuild', mysql: 'rebuild' },
});

export const dropCheck = defineChange({
  what: 'a check constraint is dropped',
  columns: 'CONSTRAINT items_hits CHECK (hits >= 0)',
  change: 'ALTER TABLE items DROP CONSTRAINT items_hits',
  undo: 'ALTER TABLE items ADD CONSTRAINT items_hits CHECK (hits >= 0)',
  strategies: { mariadb: 'instant', mysql: 'instant' },
});
