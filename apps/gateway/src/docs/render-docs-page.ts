export interface DocsPageOptions {
  /** Shown as the page's title; escaped here. */
  readonly title: string;
  /** Where the document is read from, same origin (`/v1/-/openapi/{slug}`). */
  readonly openApiUrl: string;
  /** Folder that serves `docsAssets`, without a slash at the end. */
  readonly assetsPath: string;
}

export interface DocsPage {
  readonly html: string;
  /** To be sent with the page: content type, CSP, robots, referrer. */
  readonly headers: Readonly<Record<string, string>>;
}

export function renderDocsPage(options: DocsPageOptions): DocsPage {
  return { html: options.title, headers: {} };
}
