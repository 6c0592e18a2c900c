import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { deletePost, listPosts, updatePost, type Page, type Post } from './api';

const POSTS = ['posts'];
type Pages = InfiniteData<Page, string>;

/**
 * Loads the posts page by page. `fetchNextPage` continues after the last record, even if others were inserted
 * in the meantime.
 */
export function usePosts() {
  return useInfiniteQuery({
    queryKey: POSTS,
    queryFn: ({ pageParam, signal }) => listPosts(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

export function useUpdatePost() {
  return useOptimisticPosts(
    ({ post, changes }: { post: Post; changes: Partial<Post> }) => updatePost(post, changes),
    (posts, { post, changes }) => posts.map((item) => (item.id === post.id ? { ...item, ...changes } : item)),
  );
}

export function useDeletePost() {
  return useOptimisticPosts(deletePost, (posts, post) => posts.filter(({ id }) => id !== post.id));
}

/** Shows a change before the server confirms it, and reverts it if the server rejects it. */
function useOptimisticPosts<T>(
  send: (change: T) => Promise<void>,
  apply: (posts: readonly Post[], change: T) => readonly Post[],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onMutate: async (change) => {
      // A list that is still loading would overwrite the change.
      await client.cancelQueries({ queryKey: POSTS });
      const before = client.getQueryData<Pages>(POSTS);
      client.setQueryData<Pages>(
        POSTS,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({ ...page, posts: apply(page.posts, change) })),
          },
      );
      return { before };
    },
    onError: (_error, _change, context) => client.setQueryData(POSTS, context?.before),
    // The list is loaded again, because the next change needs the new versions of the records.
    onSettled: () => client.invalidateQueries({ queryKey: POSTS }),
  });
}
