import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface DocsAsset {
  /** The file name below `assetsPath/`. */
  readonly name: string;
  readonly contentType: string;
  /** The absolute path. */
  readonly file: string;
}

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files that the docs page loads. No other file of the package is served. */
export const docsAssets: readonly DocsAsset[] = [
  { name: 'swagger-ui.css', contentType: 'text/css; charset=utf-8', file: join(swaggerUi, 'swagger-ui.css') },
  {
    name: 'swagger-ui-bundle.js',
    contentType: 'text/javascript; charset=utf-8',
    file: join(swaggerUi, 'swagger-ui-bundle.js'),
  },
  { name: 'favicon-32x32.png', contentType: 'image/png', file: join(swaggerUi, 'favicon-32x32.png') },
  {
    name: 'docs-page-script.js',
    contentType: 'text/javascript; charset=utf-8',
    file: fileURLToPath(new URL('./docs-page-script.js', import.meta.url)),
  },
];
