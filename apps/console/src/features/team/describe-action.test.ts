import { expect, it } from 'vitest';
import { describeAction, describeDetail } from './describe-action.js';

it('an audit action is described in words', () => {
  expect(describeAction('key.create')).toBe('API key: create');
  expect(describeAction('auth.password_reset')).toBe('Sign-in: password reset');
  expect(describeAction('auth.signup')).toBe('Signed up');
  expect(describeAction('saved_query.create')).toBe('Saved query: create');
  expect(describeAction('language_model.set')).toBe('Language model: set');
  expect(describeAction('unheard.of')).toBe('unheard: of');
});

it('only readable details of an audit action are described', () => {
  expect(
    describeDetail({
      name: 'app',
      role: 'viewer',
      tables: { posts: ['read', 'write'] },
      scopes: ['read'],
      expires: null,
      is_mine: true,
      database_id: 'db_1',
    }),
  ).toBe('name app, role viewer, tables posts: read + write, scopes read, is mine true');
});
