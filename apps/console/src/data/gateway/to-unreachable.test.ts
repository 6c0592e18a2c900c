import { expect, it } from 'vitest';
import { toUnreachable } from './call-gateway.js';

it('the error of toUnreachable contains the name of the gateway and a remedy', () => {
  expect(toUnreachable('https://api.example.org')).toMatchObject({
    status: 0,
    code: 'network.failed',
    message: expect.stringContaining('https://api.example.org'),
    hint: expect.any(String),
  });
});
