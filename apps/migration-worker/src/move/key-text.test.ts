import { describe, expect, it } from 'vitest';
import { matchKey, matchKeys, formatKey } from './key-text.js';

const column = (from: string, chunkBy: 'number' | 'text' | 'bytes' | 'quoted' | null) => ({
  from,
  to: from,
  chunkBy,
  charset: 'latin1',
  collation: 'latin1_bin',
  castType: null,
});
const [id, code, at, kind] = [
  column('id', 'number'),
  column('code', 'text'),
  column('at', 'quoted'),
  column('kind', null),
];

describe('keys as texts', () => {
  it('captured keys are written as text without loss of information', () => {
    expect(formatKey([id, kind], 'OLD.')).toBe(
      "CONCAT_WS(',', IFNULL(CAST(OLD.`id` AS CHAR), '~'), IFNULL(HEX(CONVERT(OLD.`kind` USING utf8mb4)), '~'))",
    );
  });

  it('a captured key becomes a condition that matches exactly its row', () => {
    expect(matchKeys([id], ['1', '-2'], '')).toBe('`id` IN (1, -2)');
    expect(matchKey([code, at, kind], '61,2026-01-01 00:00:00.5,622C63', 't.')).toBe(
      "t.`code` = _latin1 x'61' COLLATE latin1_bin AND t.`at` = '2026-01-01 00:00:00.5' AND t.`kind` = _utf8mb4 x'622C63'",
    );
    expect(matchKey([id], '5', '', ['parent_id'])).toBe('`parent_id` = 5');
    expect(matchKey([code], '', '')).toBe("`code` = _latin1 x'' COLLATE latin1_bin");
  });

  it('a captured NULL key gives no condition, and a malformed captured key throws', () => {
    expect(matchKey([id, code], '1,~', '')).toBeNull();
    expect(matchKeys([id, code], ['1,~', '1,61'], '')).toBe(
      "((FALSE) OR (`id` = 1 AND `code` = _latin1 x'61' COLLATE latin1_bin))",
    );
    for (const text of ["1'", '1 OR 1', '', '1,2']) expect(() => matchKey([id], text, ''), text).toThrow();
    expect(() => matchKey([kind], "61'", '')).toThrow();
  });
});
