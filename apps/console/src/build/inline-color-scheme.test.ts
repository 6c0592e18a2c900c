import { expect, it } from 'vitest';
import { inlineScript } from './inline-color-scheme.js';

const PAGE = '<head><script src="/color-scheme.js"></script></head>';

it('puts the script into the page, whatever signs it holds', () => {
  expect(inlineScript(PAGE, "a = '$&';\n")).toBe("<head><script>a = '$&';</script></head>");
});

it('refuses a page that does not ask for it, and a script that would end its own tag', () => {
  expect(() => inlineScript('<head></head>', 'a')).toThrow('color-scheme.js');
  expect(() => inlineScript(PAGE, 'a = "</script>"')).toThrow('end its tag');
});
