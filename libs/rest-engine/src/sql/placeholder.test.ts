import { describe, expect, it } from 'vitest';
import { compile } from '../../test/blog.js';
import { bindCell } from '../values/cell.js';

describe('bindCell', () => {
  const column = (name: string): Parameters<typeof bindCell>[1] =>
    compile().findByName('types')?.findColumn(name) ?? undefined;

  it('bindCell returns a value that equals the original cell of a result', () => {
    expect(bindCell(null, column('year'))).toBeNull();
    expect(bindCell(0, column('year'))).toBe('0000');
    expect(bindCell(new Uint8Array([1, 255]), column('bits'))).toBe('511');
    expect(bindCell(new Uint8Array([1, 255]), column('raw'))).toEqual(new Uint8Array([1, 255]));
    expect(bindCell('18446744073709551615', column('big'))).toBe('18446744073709551615');
    expect(bindCell(0.1, column('ratio'))).toBe('0.1');
  });
});
