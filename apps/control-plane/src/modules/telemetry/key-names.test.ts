import { expect, it } from 'vitest';
import { toKeyName } from './key-names.js';

it.each([
  [{ id: 'k', name: 'mobile app', kind: 'api', revoked: 0 }, 'mobile app'],
  [{ id: 'k', name: 'mobile app', kind: 'api', revoked: '1' }, 'mobile app (revoked)'],
  [{ id: 'k', name: 'Console', kind: 'session', revoked: 1 }, 'Console'],
])('the key %j is named %s in telemetry', (row, name) => {
  expect(toKeyName(row)).toEqual({ name, isConsole: row.kind === 'session' });
});
