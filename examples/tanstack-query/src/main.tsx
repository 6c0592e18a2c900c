import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api';
import { App } from './app';

const client = new QueryClient({
  // A rejected request would be rejected again, so it is retried only if the server was busy or unreachable.
  defaultOptions: {
    queries: {
      retry: (count, error) =>
        count < 3 && !(error instanceof ApiError && error.status < 500 && error.status !== 429),
    },
  },
});

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
