/**
 * The script of the Swagger page, which runs in the browser. It is a separate file, because the page's
 * content security policy allows no inline script. It reads its settings from the element that it fills.
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
  // API keys are not stored in the browser. They stay in the memory of the page.
  persistAuthorization: false,
  // If this option were on, `?url=` in the address could load any document.
  queryConfigEnabled: false,
  // With a validator, the page would send the address of the document to an external service.
  validatorUrl: null,
});

export {};
