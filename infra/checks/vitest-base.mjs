import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(new URL('.', import.meta.url)), '..', '..');

/** Packages are loaded as they were built, by Node itself, as they run; what is under test is loaded by Vitest. */
export const server = { deps: { external: [/\/libs\/[^/]+\/dist\//] } };

/** What Nest and TypeORM need of the transformer: constructor parameter types at run time. */
export const decorators = { decorator: { legacy: true, emitDecoratorMetadata: true } };
