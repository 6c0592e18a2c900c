import { expect, it } from 'vitest';
import { describeAction, describeDetail } from './describe-action.js';

it('an audit action is described in words', () => {
  expect(describeAction('key.create')).toBe('API key created');
  expect(describeAction('auth.password_reset')).toBe('Password reset');
  expect(describeAction('auth.signup')).toBe('Signed up');
  expect(describeAction('saved_query.create')).toBe('Saved query created');
  expect(describeAction('language_model.set')).toBe('Language model saved');
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
  ).toBe('name: app · role: viewer · tables: posts (read, write) · scopes: read · is mine: yes');
});

it('a deploy is described with the confirmed data loss only', () => {
  expect(describeAction('deploy')).toBe('Deployed');
  expect(describeDetail({ revision: 2, accept_loss: true })).toBe('revision: 2 · data loss confirmed');
  expect(describeDetail({ revision: 2, accept_loss: false })).toBe('revision: 2');
});
