import { expect, it } from 'vitest';
import { describeAction, describeDetail } from './describe-action.js';

it('says an action in words', () => {
  expect(describeAction('key.create')).toBe('API key: create');
  expect(describeAction('auth.password_reset')).toBe('Sign-in: password reset');
  expect(describeAction('unheard.of')).toBe('unheard: of');
});

it('says the details that people read', () => {
  expect(describeDetail({ name: 'app', role: 'viewer', tables: null, scopes: ['read'], database_id: 'db_1' })).toBe('name app, role viewer, scopes ["read"]');
});
