import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(new URL('.', import.meta.url)), '..', '..');

/** Built packages are loaded by Node, as in production. Vitest transforms only the code under test. */
export const server = { deps: { external: [/\/libs\/[^/]+\/dist\//] } };

/** Nest and TypeORM need the types of constructor parameters at run time. */
export const decorators = { decorator: { legacy: true, emitDecoratorMetadata: true } };
