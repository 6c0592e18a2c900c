import { describe, expect, it } from 'vitest';
import { checkPattern } from './check-pattern.js';

describe('checkPattern', () => {
  it.each([
    'a', '^a.*b$', 'a|b|', '(a)(b)\\2', '(?:a+)?', '(?i)abc', '(?i:a)b', '(?im-s:a)', '(?<name>a)', '(?=a)(?!b)(?<=c)(?<!d)', '(?>a+)', 'a{2}', 'a{2,}', 'a{2,5}?', 'a*?', 'a++', '[abc]', '[^a-z]', '[\\]\\[\\d-]',
    '[[:alpha:]_]', '[[:^digit:]]', '\\d\\D\\w\\W\\s\\S\\bx\\B', '\\x41\\x{1F600}\\p{Lu}\\P{Greek}', '\\.\\*\\{\\}\\[\\]\\(\\)\\\\', 'ä\u4e00', '\u{1f600}'.repeat(200), '.', '\\Aa\\z', 'a\u0000b', '(a)|', '()',
  ])('the pattern is valid: %j', (pattern) => {
    expect(checkPattern(pattern)).toBeNull();
  });

  it.each<[string, number]>([
    ['', 0], ['(', 1], ['(a', 2], [')', 0], ['a)', 1], ['[', 1], ['[a', 2], ['[]', 1], ['[]a]', 1], ['[^]', 2], ['[[a]]', 1], ['[a&&b]', 2], ['[a--b]', 2], ['*', 0], ['a**', 2], ['a|*', 2], ['(+)', 1], ['^*', 1], ['a+++', 3],
    ['a{', 1], ['a{x}', 1], ['a}', 1], ['a]', 1], ['{1}', 0], ['a{2,1}', 1], ['a{1,1001}', 1], ['a{1,99999}', 1], ['\\', 0], ['\\Q.\\E', 0], ['\\K', 0], ['\\R', 0], ['\\u0041', 0], ['[\\b]', 1], ['[\\1]', 1], ['\\1', 0], ['(a)\\2', 0],
    ['(?R)', 0], ['(?1)', 0], ['(?&x)', 0], ['(?P<n>a)', 0], ['(?C)', 0], ['(?#x)', 0], ['(?|a)', 0], ['(*LIMIT_MATCH=1)a', 0], ['(?(1)a|b)', 0], ['(?x)a', 0], ['\\p{1}', 0], ['\\ä', 0], ['a'.repeat(201), 200], ['('.repeat(31), 30],
  ])('the pattern %j is rejected at position %i', (pattern, index) => {
    expect(checkPattern(pattern)).toEqual({ msg: expect.stringMatching(/\S/), at: index });
  });

  it('any text is checked in one pass', () => {
    for (const pattern of ['('.repeat(100) + ')'.repeat(100), '['.repeat(200), '\\'.repeat(199), '{1}'.repeat(60), 'a{1,'.repeat(50)]) expect(checkPattern(pattern)).not.toBeUndefined();
  });
});
