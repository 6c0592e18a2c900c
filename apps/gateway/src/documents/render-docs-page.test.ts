import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { swaggerAssets } from './docs-page-files.js';
import {
  renderDocsPage,
  renderMissingPage,
  renderSwaggerPage,
  type DocsPageOptions,
} from './render-docs-page.js';

const ASSETS = '/v1/-/docs/assets';
const SWAGGER = { title: 'Blog', openApiUrl: '/v1/-/openapi/abc', assetsPath: ASSETS };
const OPTIONS: DocsPageOptions = {
  ...SWAGGER,
  docsPath: '/v1/-/docs/abc',
  script: 'docs-page-1.js',
  styles: 'docs-page-1.css',
  brand: null,
  accessUrl: null,
};
const PAGES = [
  ['docs page', renderDocsPage(OPTIONS)],
  ['Swagger page', renderSwaggerPage(SWAGGER)],
  ['error page', renderMissingPage({ assetsPath: ASSETS, styles: OPTIONS.styles })],
] as const;

describe('the pages of the docs', () => {
  it.each(PAGES)('the %s contains no inline script and no address of another host', (_name, { html }) => {
    expect(html).not.toMatch(/<style|style=|\son[a-z]+=|javascript:|https?:/i);
    for (const [, body] of html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) expect(body).toBe('');
  });

  it.each(PAGES)("the %s's policy forbids every other origin", (_name, { headers }) => {
    const policy = headers['Content-Security-Policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'X-Robots-Tag': 'noindex, nofollow', 'Referrer-Policy': 'no-referrer' });
  });

  it('the Swagger page loads only files that are served', () => {
    const { html } = renderSwaggerPage(SWAGGER);
    const loaded = [...html.matchAll(/(?:src|href)="\/v1\/-\/docs\/assets\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(loaded.sort()).toEqual(swaggerAssets.map((asset) => asset.name).sort());
    for (const asset of swaggerAssets) {
      // The project's own script has its compiled file next to its source.
      const isOwn = asset.name === 'swagger-page-script.js';
      const file = isOwn ? asset.file.replace(/\.js$/, '.ts') : asset.file;
      expect([file, existsSync(file)]).toEqual([file, true]);
    }
  });

  it('the policy of the docs page allows requests to the API on another origin', () => {
    const { headers } = renderDocsPage({ ...OPTIONS, apiOrigin: 'https://api.example.org/v1' });
    expect(headers['Content-Security-Policy']).toContain("connect-src 'self' https://api.example.org;");
  });

  it('the docs page escapes the texts of a project', () => {
    const text = '</title><script>alert("1")</script>&\'';
    const { html } = renderDocsPage({
      ...OPTIONS,
      title: text,
      brand: { title: text, intro: text, accent_color: text, logo: text },
    });
    const escaped = '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;';
    expect(html).toContain(`<title>${escaped}</title>`);
    expect(html).toContain(
      `data-intro="${escaped}" data-accent="${escaped}" data-logo="/v1/-/docs/abc/logo"`,
    );
    expect(html).not.toContain('<script>');
  });

  it.each(['https://evil.example/x', '//evil.example/x', '/\\evil.example', 'x', '/a b', '/a\nb'])(
    'a page rejects the path %j',
    (openApiUrl) => {
      expect(() => renderDocsPage({ ...OPTIONS, openApiUrl })).toThrow(TypeError);
      expect(() => renderSwaggerPage({ ...SWAGGER, openApiUrl })).toThrow(TypeError);
    },
  );
});
