export interface DocsPageOptions {
  /** The page title. It is escaped here. */
  readonly title: string;
  /** The path of the OpenAPI document on the page's own origin (`/v1/-/openapi/{slug}`). */
  readonly openApiUrl: string;
  /** The path that serves `docsAssets`, without a trailing slash. */
  readonly assetsPath: string;
  /** The origin that "Try it out" calls, if it differs from the page's own (`https://api.example.org`). */
  readonly apiOrigin?: string;
}

export interface DocsPage {
  readonly html: string;
  /** The response headers of the page: content type, policy, robots and referrer. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Renders the interactive documentation of one database. Everything is loaded from `assetsPath`. The HTML
 * contains no tenant data except the escaped title, and sends no request to another origin.
 *
 * @throws TypeError when a path is invalid, which is a defect of the caller
 */
export function renderDocsPage(options: DocsPageOptions): DocsPage {
  const title = escapeHtml(options.title === '' ? 'API' : options.title);
  const openApiUrl = escapeHtml(checkPath(options.openApiUrl));
  const assets = escapeHtml(checkPath(options.assetsPath));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" type="image/png" href="${assets}/favicon-32x32.png">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
<script src="${assets}/swagger-ui-bundle.js" defer></script>
<script src="${assets}/docs-page-script.js" type="module"></script>
</head>
<body>
<div id="docs" data-openapi="${openApiUrl}"></div>
<noscript><p>This page requires JavaScript. You can also open the OpenAPI document: <a href="${openApiUrl}">${openApiUrl}</a></p></noscript>
</body>
</html>
`;
  return { html, headers: toHeaders(options.apiOrigin) };
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
