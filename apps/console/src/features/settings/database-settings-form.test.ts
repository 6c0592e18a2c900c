import { DEFAULT_DATABASE_SETTINGS, type DatabaseSettings } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { listChanges } from './database-settings-form.js';

const STORED: DatabaseSettings = { ...DEFAULT_DATABASE_SETTINGS, hidden_columns: { users: ['password'] } };

it('the settings form of a database sends only changed settings', () => {
  expect(listChanges(STORED, { ...STORED, hidden_columns: { users: ['password'] } })).toEqual({});
  expect(listChanges(STORED, { ...STORED, require_limit: true, hidden_columns: {} })).toEqual({
    require_limit: true,
    hidden_columns: {},
  });
});
