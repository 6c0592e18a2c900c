import { describe, expect, it } from 'vitest';
import { readExpression } from './sql-text.js';

describe('readExpression', () => {
  it('readExpression returns the text in parentheses and respects quotes', () => {
    expect(
      readExpression("varchar(60) NOT NULL DEFAULT (concat(_binary'it\\'s )\"',uuid(),')'))", 'DEFAULT'),
    ).toBe("concat(_binary'it\\'s )\"',uuid(),')')");
    expect(readExpression('int GENERATED ALWAYS AS ((`a``)` + 1)) STORED NOT NULL', 'AS')).toBe(
      '(`a``)` + 1)',
    );
    expect(readExpression('int DEFAULT ((1 + 1))', 'DEFAULT')).toBe('(1 + 1)');
  });

  it('readExpression returns null without an expression', () => {
    expect(readExpression("int DEFAULT '5' COMMENT 'DEFAULT (1)'", 'DEFAULT')).toBeNull();
    expect(readExpression('datetime DEFAULT CURRENT_TIMESTAMP', 'DEFAULT')).toBeNull();
    expect(readExpression('int DEFAULT (1', 'DEFAULT')).toBeNull();
  });
});
