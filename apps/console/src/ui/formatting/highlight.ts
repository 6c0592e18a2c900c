export type CodeLanguage = 'bash' | 'javascript' | 'python' | 'json' | 'sql' | 'text';
export type TokenKind = 'plain' | 'string' | 'number' | 'word' | 'note' | 'key';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const NUMBER = String.raw`\b\d+(?:\.\d+)?\b`;

/**
 * One regular expression for each language. The first group that matches decides the kind of a token. This is
 * precise enough for code samples.
 */
const PATTERNS: Record<Exclude<CodeLanguage, 'text'>, RegExp> = {
  json: new RegExp(
    String.raw`(?<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>${STRING})|(?<word>\b(?:true|false|null)\b)|(?<number>-?${NUMBER})`,
    'g',
  ),
  bash: new RegExp(
    String.raw`(?<note>(?:^|\s)#[^\n]*)|(?<string>${STRING})|(?<key>(?<=\s)--?[A-Za-z][\w-]*)|(?<word>^(?:curl|mariadb|export|pip|npm)\b)`,
    'gm',
  ),
  // PHP and Go samples use this expression too, so it has some of their keywords.
  javascript: new RegExp(
    String.raw`(?<note>//[^\n]*)|(?<string>${STRING}|${'`[^`]*`'})|(?<word>\b(?:const|await|import|from|new|if|throw|async|function|return|process|package|func|nil|defer|echo|exit)\b)|(?<number>${NUMBER})`,
    'g',
  ),
  python: new RegExp(
    String.raw`(?<note>#[^\n]*)|(?<string>f?(?:${STRING}))|(?<word>\b(?:import|from|as|with|print|for|in|def|return|None|True|False)\b)|(?<number>${NUMBER})`,
    'g',
  ),
  sql: new RegExp(
    String.raw`(?<note>--[^\n]*)|(?<string>'(?:[^'\\]|\\.|'')*')|(?<key>${'`[^`]*`'})|(?<word>\b(?:CREATE|ALTER|DROP|TABLE|ADD|COLUMN|INDEX|KEY|PRIMARY|UNIQUE|CONSTRAINT|FOREIGN|REFERENCES|NOT|NULL|DEFAULT|ON|UPDATE|DELETE|CASCADE|SET|AUTO_INCREMENT|CURRENT_TIMESTAMP|MODIFY|CHANGE|RENAME|TO|CHECK|VIEW|AS|SELECT|FROM|INT|BIGINT|VARCHAR|TEXT|TIMESTAMP|DATETIME|TINYINT|BOOLEAN|DECIMAL|JSON|ENGINE|CHARSET|COLLATE|COMMENT)\b)|(?<number>${NUMBER})`,
    'gi',
  ),
};

/** Splits a code sample into colored tokens. Joined together, they are the same text. */
export function highlight(code: string, language: CodeLanguage): Token[] {
  if (language === 'text') return [{ kind: 'plain', text: code }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(PATTERNS[language])) {
    const start = match.index;
    if (start > end) tokens.push({ kind: 'plain', text: code.slice(end, start) });
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? 'plain';
    tokens.push({ kind: kind as TokenKind, text: match[0] });
    end = start + match[0].length;
  }
  if (end < code.length) tokens.push({ kind: 'plain', text: code.slice(end) });
  return tokens;
}
