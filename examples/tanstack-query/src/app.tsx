import { useState, type FormEvent } from 'react';
import type { Post } from './api';
import { useDeletePost, usePosts, useUpdatePost } from './use-posts';

export function App() {
  const posts = usePosts();
  if (posts.isPending) return <p>Loading…</p>;
  if (posts.isError && posts.data === undefined) return <p role="alert">{posts.error.message}</p>;
  return (
    <main>
      <h1>Posts</h1>
      <ul>
        {posts.data.pages
          .flatMap((page) => page.posts)
          .map((post) => (
            <PostItem key={post.id} post={post} />
          ))}
      </ul>
      {posts.hasNextPage ? (
        <button disabled={posts.isFetchingNextPage} onClick={() => void posts.fetchNextPage()}>
          Load more
        </button>
      ) : null}
    </main>
  );
}

function PostItem({ post }: { post: Post }) {
  const update = useUpdatePost();
  const remove = useDeletePost();
  const [title, setTitle] = useState<string | null>(null);
  const error = update.error ?? remove.error;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (title !== null) update.mutate({ post, changes: { title } }, { onSuccess: () => setTitle(null) });
  };
  return (
    <li aria-label={post.title}>
      {title === null ? (
        <>
          {post.title} <button onClick={() => setTitle(post.title)}>Edit</button>{' '}
          <button onClick={() => remove.mutate(post)}>Delete</button>
        </>
      ) : (
        <form onSubmit={save}>
          <input aria-label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />{' '}
          <button disabled={update.isPending}>Save</button>{' '}
          <button type="button" onClick={() => setTitle(null)}>
            Cancel
          </button>
        </form>
      )}
      {error ? <p role="alert">{error.message}</p> : null}
    </li>
  );
}
