import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

/** Calls a hook once in a component that is then unmounted, as if the user had left the screen. */
export function callHook<Answer>(callback: () => Answer, queryClient = new QueryClient()): Answer {
  const answers: Answer[] = [];
  const Caller = (): null => {
    answers.push(callback());
    return null;
  };
  renderToString(createElement(QueryClientProvider, { client: queryClient }, createElement(Caller)));
  return answers[0] as Answer;
}
