import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const TAG = '<script src="/color-scheme.js"></script>';

/**
 * Puts the script that chooses light or dark into the page itself. Nothing of the page is shown before it has run, and as a file
 * of its own it was fetched behind all that the server has had fetched along with the page. The control plane's policy lets
 * through the scripts that the built page holds, by their digests.
 */
export function inlineColorScheme(): Plugin {
  let publicDir = '';
  return {
    name: 'inline-color-scheme',
    apply: 'build',
    configResolved(config) {
      ({ publicDir } = config);
    },
    transformIndexHtml: { order: 'post', handler: (html) => inlineScript(html, readFileSync(join(publicDir, 'color-scheme.js'), 'utf8')) },
  };
}

/** Throws where the page does not ask for the script, or the script would end its own tag. */
export function inlineScript(html: string, script: string): string {
  if (!html.includes(TAG)) throw new Error(`index.html has no ${TAG}`);
  if (/<\/script|<!--/i.test(script)) throw new Error('color-scheme.js holds what would end its tag');
  return html.replace(TAG, () => `<script>${script.trim()}</script>`);
}
