import { describe, expect, it } from 'vitest';
import { parseForeignKey } from './parse-foreign-key.js';

describe('parseForeignKey', () => {
  it('reads names, columns and actions', () => {
    const line = 'CONSTRAINT `a``b` FOREIGN KEY (`x`, `y,z`) REFERENCES `far` (`p`, `q`) ON DELETE SET NULL ON UPDATE CASCADE';
    expect(parseForeignKey(line, 'RESTRICT')).toEqual({
      name: 'a`b', columns: ['x', 'y,z'], referencedTable: 'far', referencedColumns: ['p', 'q'], onDelete: 'SET NULL', onUpdate: 'CASCADE', definition: line,
    });
  });
  it('fills in the action that is not named, and leaves a schema out', () => {
    expect(parseForeignKey('CONSTRAINT `f` FOREIGN KEY (`x`) REFERENCES `d`.`far` (`p`)', 'NO ACTION')).toMatchObject({ referencedTable: 'far', onDelete: 'NO ACTION', onUpdate: 'NO ACTION' });
  });
  it('is null for a check', () => {
    expect(parseForeignKey('CONSTRAINT `c` CHECK (`x` > 0)', 'RESTRICT')).toBeNull();
  });
});
