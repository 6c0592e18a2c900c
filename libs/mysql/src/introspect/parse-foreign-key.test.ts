import { describe, expect, it } from 'vitest';
import { parseForeignKey } from './foreign-keys.js';

describe('parseForeignKey', () => {
  it('names, columns and actions are parsed', () => {
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
  it('a missing action is filled in, and the schema name is left out', () => {
    expect(
      parseForeignKey('CONSTRAINT `f` FOREIGN KEY (`x`) REFERENCES `d`.`far` (`p`)', 'NO ACTION'),
    ).toMatchObject({ referencedTable: 'far', onDelete: 'NO ACTION', onUpdate: 'NO ACTION' });
  });
  it('the result is null for a check', () => {
    expect(parseForeignKey('CONSTRAINT `c` CHECK (`x` > 0)', 'RESTRICT')).toBeNull();
  });
});
