import { expect, it } from 'vitest';
import { readPassword } from './test-connection-dialog.js';

it.each([
  [' s3cret ', 's3cret'],
  ['mysql://u1:a%2Fb%40c@127.0.0.1:3306/pabc?ssl-mode=VERIFY_CA', 'a/b@c'],
  ['mysql://u1@127.0.0.1/pabc', null],
  ['mysql://', null],
  ['mysql://u1:%E0@127.0.0.1/pabc', null],
  ['', null],
])('readPassword reads from the text %j the password %j', (text, password) => {
  expect(readPassword(text)).toBe(password);
});
