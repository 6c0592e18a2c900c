import { describe, expect, it } from 'vitest';
import { highlight, type CodeLanguage } from './highlight.js';

const SAMPLES: [CodeLanguage, string][] = [
  ['bash', 'curl "http://127.0.0.1/v1/-/posts" \\\n  -H "Authorization: Bearer $ROWHOUSE_KEY" # list'],
  ['json', '[{"id": 1, "ok": true, "t": "a \\" b", "n": null}]'],
  ['python', 'import os\nprint(f"{os.environ[\'X\']}")  # 1'],
  ['javascript', 'const a = await fetch(`x`); // 12'],
  ['sql', "ALTER TABLE `posts` ADD COLUMN a varchar(100) DEFAULT 'it''s' -- note"],
  ['text', 'anything'],
];

describe('highlight', () => {
  it.each(SAMPLES)('highlighting loses no character of %s', (language, code) => {
    expect(
      highlight(code, language)
        .map((token) => token.text)
        .join(''),
    ).toBe(code);
  });

  it('JSON highlighting distinguishes names from strings', () => {
    const kinds = highlight('{"a": "b", "c": 12}', 'json').filter((token) => token.kind !== 'plain');
    expect(kinds).toEqual([
      { kind: 'key', text: '"a"' },
      { kind: 'string', text: '"b"' },
      { kind: 'key', text: '"c"' },
      { kind: 'number', text: '12' },
    ]);
  });
});
