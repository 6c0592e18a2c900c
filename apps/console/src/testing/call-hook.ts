import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

/** What a hook answers, called once by a component that is then gone: nobody listens to what it begins, as after a screen was left. */
export function callHook<Answer>(useIt: () => Answer, queryClient = new QueryClient()): Answer {
  const answers: Answer[] = [];
  const Caller = (): null => {
    answers.push(useIt());
    return null;
  };
  renderToString(createElement(QueryClientProvider, { client: queryClient }, createElement(Caller)));
  return answers[0] as Answer;
}
