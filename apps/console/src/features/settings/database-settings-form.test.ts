import type { DatabaseSettings } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { listChanges } from './database-settings-form.js';

const STORED: DatabaseSettings = {
  unknown_fields: 'reject',
  require_limit: false,
  require_if_match: [],
  docs_enabled: true,
  license: null,
  regex_enabled: false,
  time_zone: 'UTC',
  hidden_columns: { users: ['password'] },
  unindexed_columns: {},
  number_columns: {},
  allowed_origins: null,
  rate: null,
  rows_examined_max: null,
  end_idle_transactions_after_seconds: null,
  language_model: true,
  language_model_tokens_per_day: null,
  question_history: true,
  backup_every_hours: null,
};

it('only changed settings are returned', () => {
  expect(listChanges(STORED, { ...STORED, hidden_columns: { users: ['password'] } })).toEqual({});
  expect(listChanges(STORED, { ...STORED, require_limit: true, hidden_columns: {} })).toEqual({
    require_limit: true,
    hidden_columns: {},
  });
});
