import { expect, it } from 'vitest';
import { isHostClear } from './is-host-clear.js';

it.each([
  ['1.1', ['Accept', '*/*', 'Host', 'a'], true],
  ['1.1', ['host', 'a', 'HOST', 'a'], false],
  ['1.0', ['host', 'a', 'Host', 'b'], false],
  ['1.1', ['Accept', 'host'], false],
  ['1.0', ['Accept', 'host'], true],
  ['1.1', ['Host', ''], true],
])('HTTP/%s with %j: %s', (httpVersion, rawHeaders, isClear) => {
  expect(isHostClear({ httpVersion, rawHeaders })).toBe(isClear);
});
