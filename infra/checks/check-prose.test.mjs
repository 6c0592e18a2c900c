import { describe, expect, it } from 'vitest';
import { readOldWords, toFigures } from './check-prose.mjs';
import { readSentences, readSource, splitIdentifier } from './rules/read-prose.mjs';

describe('the prose check', () => {
  it('readSource returns comments and identifiers, but no strings or regular expressions', () => {
    const source = [
      "const first = 'not // a comment';",
      '// One comment',
      '// of two lines',
      'const second = `text ${inner + `${nested}`} // text`; /* A block. */',
      "const third = /'[/]`/.test(first) ? 1 / 2 : 0; // The end",
    ].join('\n');
    const { comments, identifiers } = readSource(source);
    expect(comments).toEqual(['One comment of two lines', 'A block.', 'The end']);
    expect([...identifiers].filter((name) => name !== 'const')).toEqual([
      'first',
      'second',
      'inner',
      'nested',
      'third',
      'test',
    ]);
  });

  it('readSentences returns the sentences of a document without tables and code', () => {
    const docs =
      '# A title of many words here\n\nThe first sentence has words. The second uses `code` too.\n\n| a | table | of | words |\n\n```\nsome code in a block\n```\n';
    expect(readSentences(docs)).toEqual(['The first sentence has words.', 'The second uses code too.']);
  });

  it('splitIdentifier returns the words of an identifier in lower case', () => {
    expect(['RoomPath', 'TRIES_MAX', 'isHTTPServer2'].map(splitIdentifier)).toEqual([
      ['room', 'path'],
      ['tries', 'max'],
      ['is', 'http', 'server'],
    ]);
  });

  it('readOldWords returns the single words of the last column of a glossary table', () => {
    const glossary =
      '| Use | Meaning | Not |\n|---|---|---|\n| page | a screen | room, old room |\n| a | b | |\n';
    expect([...readOldWords(glossary)]).toEqual(['room']);
  });

  it('toFigures rounds a share up to the next tenth of a percent', () => {
    const counts = {
      comments: 3,
      fragments: 1,
      words: 0,
      phrases: 0,
      sentences: 0,
      longSentences: 0,
      lines: 8,
      longLines: 1,
    };
    expect(toFigures(counts)).toEqual({
      fragments: 333.4,
      phrases: 0,
      longSentences: 0,
      longLines: 125,
    });
  });
});
