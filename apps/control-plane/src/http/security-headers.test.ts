import { expect, it } from 'vitest';
import { listScriptDigests } from './security-headers.js';

/** `printf 'a()' | openssl dgst -sha256 -binary | base64` */
const DIGEST = "'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='";

it('names each script that stands in a page, once, and no file', () => {
  expect(listScriptDigests(['<script src="/x.js"></script><script>a()</script>', '<p></p><script>a()</script><script>b()</script>'])).toEqual([DIGEST, expect.stringMatching(/^'sha256-/)]);
  expect(listScriptDigests(['<script type="module" src="/x.js"></script>'])).toEqual([]);
});
