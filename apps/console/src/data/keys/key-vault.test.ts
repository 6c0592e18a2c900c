import { beforeEach, expect, it } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import {
  chooseSecret,
  forgetSecret,
  forgetSecrets,
  holdSecret,
  useHeldSecret,
  useHeldSecrets,
} from './key-vault.js';

const held = (databaseId = 'db_1'): string[] =>
  callHook(() => useHeldSecrets(databaseId)).map(({ name }) => name);
const inUse = (): string | undefined => callHook(() => useHeldSecret('db_1'))?.name;

beforeEach(() => {
  forgetSecrets();
  holdSecret('db_1', { secret: 'rh_dev_aaaa', name: 'first', isFirst: true });
  holdSecret('db_1', { secret: 'rh_dev_bbbb', name: 'app' });
  holdSecret('db_2', { secret: 'rh_dev_cccc', name: 'other' });
});

it('the key vault uses the newest secret of each database', () => {
  expect([inUse(), held(), held('db_2'), held('db_3')]).toEqual(['app', ['app', 'first'], ['other'], []]);
});

it('the key vault switches to another known secret and ignores an unknown one', () => {
  chooseSecret('db_1', 'rh_dev_aaaa');
  expect(held()).toEqual(['first', 'app']);
  chooseSecret('db_1', 'rh_dev_cccc');
  expect(held()).toEqual(['first', 'app']);
});

it('the key vault uses the next secret after a key was revoked', () => {
  forgetSecret('db_1', { id: 'key_b', last4: 'bbbb' });
  expect(inUse()).toBe('first');
  forgetSecret('db_1', { id: 'key_c', last4: 'cccc' });
  expect([held(), held('db_2')]).toEqual([['first'], ['other']]);
  forgetSecrets();
  expect(inUse()).toBeUndefined();
});

it('the key vault forgets only the revoked one of two keys with the same last characters', () => {
  holdSecret('db_1', { secret: 'rh_dev_x_dddd', name: 'one', keyId: 'key_1' });
  holdSecret('db_1', { secret: 'rh_dev_y_dddd', name: 'two', keyId: 'key_2' });
  forgetSecret('db_1', { id: 'key_1', last4: 'dddd' });
  expect(held()).toEqual(['two', 'app', 'first']);
});
