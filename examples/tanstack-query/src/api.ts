export interface Post {
  readonly id: number;
  readonly title: string;
  readonly published: boolean;
  /** The version of the record, for `If-Match`. */
  readonly _etag: string;
}

export interface Page {
  readonly posts: readonly Post[];
  /** Where the next page starts; undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/** The error of a refused request, with a message for people. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, answer: { readonly detail?: unknown; readonly hint?: string }) {
    const faults = Array.isArray(answer.detail) ? (answer.detail as { loc: unknown[]; msg: string }[]) : [];
    const detail =
      faults.length > 0
        ? faults.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')
        : String(answer.detail);
    super(
      status === 412 ? 'Someone else changed this post. The list now shows the current version.' : detail,
    );
    this.status = status;
  }
}

const base = `${import.meta.env['VITE_ROWHOUSE_URL']}/v1/-`;

async function send(
  method: string,
  path: string,
  init: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const { body, headers, signal } = init;
  const response = await fetch(base + path, {
    method,
    headers: {
      Authorization: `Bearer ${import.meta.env['VITE_ROWHOUSE_KEY']}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw new ApiError(response.status, await response.json());
  return response;
}

/** Reads one page of posts, newest first. An empty cursor is the start of the list. */
export async function listPosts(cursor: string, signal: AbortSignal): Promise<Page> {
  const query = new URLSearchParams({
    _cursor: cursor,
    limit: '10',
    sort: '-id',
    _select: 'id,title,published,_etag',
  });
  const response = await send('GET', `/posts?${query}`, { signal });
  return { posts: await response.json(), nextCursor: response.headers.get('X-Next-Cursor') ?? undefined };
}

/** Fails with 412 when someone else has changed the post since it was read. */
export async function updatePost(post: Post, changes: Partial<Post>): Promise<void> {
  await send('PATCH', `/posts/${post.id}`, {
    body: changes,
    headers: { 'If-Match': post._etag, Prefer: 'return=minimal' },
  });
}

export async function deletePost(post: Post): Promise<void> {
  await send('DELETE', `/posts/${post.id}`, { headers: { 'If-Match': post._etag } });
}
