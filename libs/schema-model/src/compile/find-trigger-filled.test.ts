import { describe, expect, it } from 'vitest';
import { findTriggerFilled } from './find-trigger-filled.js';
import type { Trigger } from '../types.js';

function find(
  body: string,
  timing: Trigger['timing'] = 'BEFORE',
  event: Trigger['event'] = 'INSERT',
): string[] {
  return [
    ...findTriggerFilled([
      {
        name: 't',
        timing,
        event,
        createSql: `CREATE TRIGGER t ${timing} ${event} ON x FOR EACH ROW ${body}`,
      },
    ]),
  ].sort((a, b) => a.localeCompare(b));
}

describe('findTriggerFilled', () => {
  it('findTriggerFilled returns the columns that a BEFORE INSERT trigger assigns', () => {
    expect(find('SET NEW.a = 1, new.`B c` := 2, NEW . d = NEW.e')).toEqual(['a', 'b c', 'd']);
    expect(
      find(
        'BEGIN IF NEW.a IS NULL THEN SET NEW.a = UUID(); END IF; SELECT 1, x.y, 3 INTO @v, l.z, NEW.b; END',
      ),
    ).toEqual(['a', 'b']);
  });

  it('findTriggerFilled ignores columns that a trigger only reads', () => {
    expect(
      find(
        "SET @a = CONCAT('x', NEW.a), @b = 'SET NEW.b = 1' -- SET NEW.c = 1\n, @d = 1 /* SET NEW.d = 1 */ # SET NEW.e = 1",
      ),
    ).toEqual([]);
    expect(find('IF NEW.a = 1 THEN SET @b = NEW.b; END IF')).toEqual([]);
    expect(find('SET NEW.a = 1', 'AFTER')).toEqual([]);
    expect(find('SET NEW.a = 1', 'BEFORE', 'UPDATE')).toEqual([]);
  });
});
