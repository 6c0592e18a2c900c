import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(new URL('.', import.meta.url)), '..', '..');

/** What Nest and TypeORM need of the transformer: constructor parameter types at run time. */
export const decorators = { decorator: { legacy: true, emitDecoratorMetadata: true } };
