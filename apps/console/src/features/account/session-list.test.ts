import { expect, it } from 'vitest';
import { describeAgent } from './session-list.js';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'Chrome on macOS',
  ],
  ['curl/8.5.0', 'curl'],
  ['', 'Unknown client'],
])('the session list describes the user agent %s', (agent, words) => {
  expect(describeAgent(agent)).toBe(words);
});
