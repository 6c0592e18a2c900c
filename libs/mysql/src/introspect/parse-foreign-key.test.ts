import { describe, expect, it } from 'vitest';
import { parseForeignKey } from './foreign-keys.js';

describe('parseForeignKey', () => {
  it('parseForeignKey returns the name, columns and actions of a foreign key line', () => {
    const line =
      'CONSTRAINT `a``b` FOREIGN KEY (`x`, `y,z`) REFERENCES `far` (`p`, `q`) ON DELETE SET NULL ON UPDATE CASCADE';
    expect(parseForeignKey(line, 'RESTRICT')).toEqual({
      name: 'a`b',
      columns: ['x', 'y,z'],
      referencedTable: 'far',
      referencedColumns: ['p', 'q'],
      onDelete: 'SET NULL',
      onUpdate: 'CASCADE',
      definition: line,
    });
  });
  it('parseForeignKey adds the default action and omits the schema name', () => {
    expect(
      parseForeignKey('CONSTRAINT `f` FOREIGN KEY (`x`) REFERENCES `d`.`far` (`p`)', 'NO ACTION'),
    ).toMatchObject({ referencedTable: 'far', onDelete: 'NO ACTION', onUpdate: 'NO ACTION' });
  });
  it('parseForeignKey returns null for a check', () => {
    expect(parseForeignKey('CONSTRAINT `c` CHECK (`x` > 0)', 'RESTRICT')).toBeNull();
  });
});
