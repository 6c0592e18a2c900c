import type { DocsPageSettings } from '@rowhouse/contracts';

/** An empty icon. Without one, browsers would request `/favicon.ico`. */
const NO_ICON = 'data:,';

interface PageOptions {
  /** The page title. It is escaped here. */
  readonly title: string;
  /** The path that serves the assets, without a trailing slash. */
  readonly assetsPath: string;
  /** The origin that the page's requests are sent to, if it differs from the page's own. */
  readonly apiOrigin?: string;
}

export interface SwaggerPageOptions extends PageOptions {
  /** The path of the OpenAPI document on the page's own origin (`/v1/-/openapi/{slug}`). */
  readonly openApiUrl: string;
}

export interface DocsPageOptions extends PageOptions {
  /** The path of the page itself (`/v1/-/docs/{slug}`). */
  readonly docsPath: string;
  readonly openApiUrl: string;
  readonly script: string;
  readonly styles: string;
  readonly brand: DocsPageSettings | null;
  /** The URL of the console's page that sends a key to this page. Null if the console's URL is unknown. */
  readonly accessUrl: string | null;
}

export interface DocsPage {
  readonly html: string;
  /** The response headers of the page: content type, policy, robots and referrer. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Renders the API reference of one database. Everything is loaded from the page's own origin. The HTML
 * contains no tenant data except the escaped title, text and color.
 *
 * @throws TypeError when a path is invalid, which is a defect of the caller
 */
export function renderDocsPage(options: DocsPageOptions): DocsPage {
  const { brand, accessUrl } = options;
  const docs = checkPath(options.docsPath);
  const assets = checkPath(options.assetsPath);
  const title = options.title === '' ? 'API' : options.title;
  const data = {
    docs,
    openapi: checkPath(options.openApiUrl),
    title,
    intro: brand?.intro ?? '',
    accent: brand?.accent_color ?? '',
    logo: (brand?.logo ?? null) === null ? '' : `${docs}/logo`,
    access: accessUrl ?? '',
  };
  const attributes = Object.entries(data)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  const html = renderHtml(
    title,
    [
      `<link rel="icon" href="${data.logo === '' ? NO_ICON : escapeHtml(data.logo)}">`,
      `<link rel="alternate" type="text/markdown" href="${escapeHtml(docs)}/index.md">`,
      `<link rel="stylesheet" href="${escapeHtml(`${assets}/${options.styles}`)}">`,
      `<script src="${escapeHtml(`${assets}/${options.script}`)}" type="module"></script>`,
    ],
    [
      `<div id="docs"${attributes.join('')}></div>`,
      '<noscript><main><h1>This page requires JavaScript</h1><p>You can also read ' +
        `<a href="${escapeHtml(docs)}/index.md">the docs as Markdown</a>.</p></main></noscript>`,
    ],
  );
  return { html, headers: toHeaders(options.apiOrigin) };
}

/** Renders the page with Swagger UI for one database. */
export function renderSwaggerPage(options: SwaggerPageOptions): DocsPage {
  const openApiUrl = escapeHtml(checkPath(options.openApiUrl));
  const assets = escapeHtml(checkPath(options.assetsPath));
  const html = renderHtml(
    options.title === '' ? 'API' : options.title,
    [
      `<link rel="icon" type="image/png" href="${assets}/favicon-32x32.png">`,
      `<link rel="stylesheet" href="${assets}/swagger-ui.css">`,
      `<script src="${assets}/swagger-ui-bundle.js" defer></script>`,
      `<script src="${assets}/swagger-page-script.js" type="module"></script>`,
    ],
    [
      `<div id="docs" data-openapi="${openApiUrl}"></div>`,
      `<noscript><p>This page requires JavaScript. You can also open the OpenAPI document: <a href="${openApiUrl}">${openApiUrl}</a></p></noscript>`,
    ],
  );
  return { html, headers: toHeaders(options.apiOrigin) };
}

/** Renders the page for an address at which no docs are published. It does not reveal the reason. */
export function renderMissingPage({ assetsPath, styles }: { assetsPath: string; styles: string }): DocsPage {
  const html = renderHtml(
    'No docs at this address',
    [
      `<link rel="icon" href="${NO_ICON}">`,
      `<link rel="stylesheet" href="${escapeHtml(`${checkPath(assetsPath)}/${styles}`)}">`,
    ],
    [
      '<main class="missing"><h1>No docs at this address</h1>',
      '<p>The docs may have been turned off, or the database may have been deleted. Ask the owner of the API ' +
        'for the current address.</p></main>',
    ],
  );
  return { html, headers: toHeaders(undefined) };
}

function renderHtml(title: string, head: readonly string[], body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head.join('\n')}
</head>
<body>
${body.join('\n')}
</body>
</html>
`;
}

function toHeaders(apiOrigin: string | undefined): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${apiOrigin === undefined ? '' : ` ${new URL(apiOrigin).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Robots-Tag': 'noindex, nofollow',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  };
}

function checkPath(path: string): string {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) throw new TypeError(`not a path of this origin: ${path}`);
  return path;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
