/**
 * Runs in the browser, as a module of its own: the page's policy allows no script inside the HTML.
 * It takes its settings from the element that it fills.
 */
interface SwaggerUi {
  (settings: object): void;
  readonly presets: { readonly apis: unknown };
}
interface PageElement {
  readonly dataset: Readonly<Record<string, string | undefined>>;
}
declare const document: { getElementById(id: string): PageElement | null };
declare const SwaggerUIBundle: SwaggerUi;

SwaggerUIBundle({
  url: document.getElementById('docs')?.dataset['openapi'],
  dom_id: '#docs',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  // Keys stay in the page's memory.
  persistAuthorization: false,
  // Else `?url=` in the address would load a document from anywhere.
  queryConfigEnabled: false,
  // Else the page would send the document's address to a validator outside.
  validatorUrl: null,
});

export {};
