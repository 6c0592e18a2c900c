import { createWriteStream } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.js';
import type { WorkingSchemaResponse } from '@rowhouse/contracts';

/** Returns the path of a file relative to the current folder. */
export function toPath(ctx: Context, name: string): string {
  return isAbsolute(name) ? name : join(ctx.environment.cwd, name);
}

/** Streams the response at `path` to a file that only its owner can read. */
export async function download(ctx: Context, path: string, file: string): Promise<void> {
  await pipeline(Readable.from(await ctx.api().download(path)), createWriteStream(file, { mode: 0o600 }));
}

/** Returns the text of a schema file. Servers of earlier versions send no frame. */
export function writeSchemaFile({
  sql,
  file_frame: frame,
}: Pick<WorkingSchemaResponse, 'sql'> & Partial<Pick<WorkingSchemaResponse, 'file_frame'>>): string {
  return sql === '' ? '' : `${frame?.head ?? ''}\n${sql}\n${frame?.tail ?? ''}`;
}
