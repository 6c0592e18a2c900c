import { expect, it } from 'vitest';
import { nameNode } from './node-failure-tracker.js';

it('node names distinguish ports of one host', () => {
  expect([nameNode({ host: 'a', port: 1 }), nameNode({ host: 'a', port: 2 })]).toEqual(['a:1', 'a:2']);
});
