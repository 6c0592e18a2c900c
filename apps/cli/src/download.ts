import { createWriteStream } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from './context.js';

/** A file that the person named, from where the command is called. */
export function toPath(ctx: Context, name: string): string {
  return isAbsolute(name) ? name : join(ctx.world.cwd, name);
}

/** Writes what the control plane answers at `path` to a file that its owner alone can read, however long it is. */
export async function download(ctx: Context, path: string, file: string): Promise<void> {
  await pipeline(Readable.from(await ctx.api().download(path)), createWriteStream(file, { mode: 0o600 }));
}
