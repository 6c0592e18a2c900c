import { expect, it } from 'vitest';
import { findHostFault } from './find-host-fault.js';

it.each([
  ['1.1', ['Accept', '*/*', 'Host', 'a'], null],
  ['1.1', ['host', 'a', 'HOST', 'a'], 'request.malformed'],
  ['1.0', ['host', 'a', 'Host', 'b'], 'request.malformed'],
  ['1.1', ['Accept', 'host'], 'request.malformed'],
  ['1.0', ['Accept', 'host'], null],
  ['1.1', ['Host', ''], null],
])('HTTP/%s with %j: %s', (httpVersion, rawHeaders, code) => {
  expect(findHostFault({ httpVersion, rawHeaders })?.code ?? null).toBe(code);
});
