import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderDocsPage } from './render-docs-page.js';
import { docsAssets } from './serve-docs.js';

const OPTIONS = { title: 'Blog', openApiUrl: '/v1/-/openapi/abc', assetsPath: '/v1/-/docs/assets' };

describe('renderDocsPage', () => {
  it('the docs page contains no inline script and loads only served assets', () => {
    const { html } = renderDocsPage(OPTIONS);
    expect(html).not.toMatch(/<style|style=|\son[a-z]+=|javascript:|https?:/i);
    for (const [, body] of html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) expect(body).toBe('');
    const loaded = [...html.matchAll(/(?:src|href)="\/v1\/-\/docs\/assets\/([^"]+)"/g)]
      .map((match) => match[1])
      .sort();
    expect(loaded).toEqual(docsAssets.map((asset) => asset.name).sort());
  });

  it('renderDocsPage escapes the project name', () => {
    const { html } = renderDocsPage({ ...OPTIONS, title: '</title><script>alert("1")</script>&\'' });
    expect(html).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;</title>',
    );
    expect(html).not.toContain('<script>');
  });

  it("the docs page's policy forbids every other origin", () => {
    const policy = renderDocsPage(OPTIONS).headers['Content-Security-Policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(renderDocsPage(OPTIONS).headers).toMatchObject({
      'X-Robots-Tag': 'noindex, nofollow',
      'Referrer-Policy': 'no-referrer',
    });
    expect(
      renderDocsPage({ ...OPTIONS, apiOrigin: 'https://api.example.org/v1' }).headers[
        'Content-Security-Policy'
      ],
    ).toContain("connect-src 'self' https://api.example.org;");
  });

  it.each(['https://evil.example/x', '//evil.example/x', '/\\evil.example', 'x', '/a b', '/a\nb'])(
    'renderDocsPage rejects the path %j',
    (openApiUrl) => {
      expect(() => renderDocsPage({ ...OPTIONS, openApiUrl })).toThrow(TypeError);
    },
  );

  it('every file of the docs page assets exists', () => {
    for (const asset of docsAssets) {
      // The project's own script has its compiled file next to its source.
      const file = asset.name === 'docs-page-script.js' ? asset.file.replace(/\.js$/, '.ts') : asset.file;
      expect([file, existsSync(file)]).toEqual([file, true]);
    }
  });
});
