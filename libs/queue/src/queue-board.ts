import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import { queuePrefix, WAKE_QUEUE } from '@rowhouse/contracts';
import { inTime } from '@rowhouse/runtime';
import { Queue } from 'bullmq';
import { findRoute } from './find-route.js';
import { connectRedis } from './redis.js';

/** The response to a GET request for the queue board. */
export interface BoardResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** A read-only view of a cell's queues with bull-board. None of its routes changes anything. */
export interface QueueBoard {
  /**
   * Returns the response for a path below the prefix of the board, whose page is '/'. Returns null for an
   * unknown path. Throws while Redis is not available.
   */
  read(path: string, query: Readonly<Record<string, unknown>>): Promise<BoardResponse | null>;
  close(): Promise<void>;
}

export interface QueueBoardOptions {
  readonly redisUrl: string;
  readonly cellId: string;
  /** The URL prefix of the board, without a slash at the end. */
  readonly place: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
};
const ANSWER_MS_MAX = 2_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Loads bull-board when it is first used, so that processes which never show it do not need memory for it.
 */
export async function openQueueBoard({
  redisUrl,
  cellId,
  place: location,
}: QueueBoardOptions): Promise<QueueBoard> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')), 'dist');
  const [{ createBullBoard }, { BullMQAdapter }, files, template] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    listFiles(folder),
    readFile(join(folder, 'index.ejs'), 'utf8'),
  ]);
  const redis = connectRedis(redisUrl, 'queue-board');
  const queue = new Queue(WAKE_QUEUE, { prefix: queuePrefix(cellId), connection: redis });
  queue.on('error', () => undefined);
  const parts = new BoardParts();
  createBullBoard({
    queues: [
      new BullMQAdapter(queue, {
        readOnlyMode: true,
        allowRetries: false,
        description:
          'Job notifications for workers. The work itself is in the platform database, so a lost ' +
          'notification only delays it.',
      }),
    ],
    serverAdapter: parts,
    options: { uiBasePath: dirname(folder), uiConfig: { boardTitle: 'Rowhouse queues', hideDocsLink: true } },
  });
  const page = (): BoardResponse => ({
    status: 200,
    type: 'text/html; charset=utf-8',
    body: renderPage(template, location, parts.uiConfig),
  });
  return {
    async read(path, query) {
      if (files.has(path.slice(1)))
        return {
          status: 200,
          type: TYPES[extname(path)] ?? 'application/octet-stream',
          body: await readFile(join(folder, path)),
        };
      if (findRoute(parts.pages, path) !== null) return page();
      const found = findRoute(parts.routes, path);
      if (found === null) return null;
      const { status, body } = await inTime(
        Promise.resolve(
          found.target({
            queues: parts.queues,
            uiConfig: parts.uiConfig,
            params: found.params,
            query,
            body: {},
            headers: {},
          }),
        ),
        ANSWER_MS_MAX,
        toSilence,
      );
      return { status: status ?? 200, type: JSON_TYPE, body: JSON.stringify(body) };
    },
    async close() {
      await queue.close();
      redis.disconnect();
    },
  };
}

/**
 * Creates the error for a time limit. Without this limit, a client that has never connected would wait
 * forever.
 */
const toSilence = (): Error => new Error('Redis did not respond in time');

type Handler = AppControllerRoute['handler'];

/** Collects the routes and pages that bull-board registers, except those that change something. */
class BoardParts implements IServerAdapter {
  queues: BullBoardQueues = new Map();
  uiConfig: UIConfig = {};
  pages: (readonly [string, true])[] = [];
  routes: (readonly [string, Handler])[] = [];

  setQueues(queues: BullBoardQueues): this {
    this.queues = queues;
    return this;
  }

  setUIConfig(config: UIConfig): this {
    this.uiConfig = config;
    return this;
  }

  setEntryRoute({ route }: AppViewRoute): this {
    this.pages = [route].flat().map((path) => [path, true]);
    return this;
  }

  setApiRoutes(routes: AppControllerRoute[]): this {
    this.routes = routes
      .filter(({ method }) => [method].flat().includes('get'))
      .flatMap((codePath) =>
        [codePath.route]
          .flat()
          .map((path) => [path, (request: Parameters<Handler>[0]) => codePath.handler(request)] as const),
      );
    return this;
  }

  setViewsPath(): this {
    return this;
  }

  setStaticPath(): this {
    return this;
  }

  setErrorHandler(): this {
    return this;
  }
}

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(join(folder, 'static'), { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}

/**
 * Returns the HTML of the package's page. It uses only its own files, so it has no fonts from other hosts and
 * no inline scripts. The settings are embedded as data, which browsers do not execute.
 */
export function renderPage(template: string, location: string, uiConfig: UIConfig): string {
  const styles = [...template.matchAll(/<link href="(static\/[\w./-]+\.css)"/g)].map(
    ([, href]) => `<link rel="stylesheet" href="${href}">`,
  );
  const scripts = [...template.matchAll(/<script [^>]*src="(static\/[\w./-]+\.js)"/g)].map(
    ([, src]) => `<script defer src="${src}"></script>`,
  );
  const settings = JSON.stringify(uiConfig).replaceAll('<', '\\u003c');
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<base href="${location}/"><title>Rowhouse queues</title><link rel="icon" type="image/svg+xml" id="fav-logo" href="static/images/logo.svg">`,
    ...styles,
    `</head><body class="preload"><script id="__UI_CONFIG__" type="application/json">${settings}</script><div id="root"></div>`,
    ...scripts,
    '</body></html>',
  ].join('');
}
