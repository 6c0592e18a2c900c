import { expect, it } from 'vitest';
import { nameNode } from './name-node.js';

it('tells ports of one host apart', () => {
  expect([nameNode({ host: 'a', port: 1 }), nameNode({ host: 'a', port: 2 })]).toEqual(['a:1', 'a:2']);
});
