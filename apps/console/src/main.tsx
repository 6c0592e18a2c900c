import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/theme/mantine-styles.js';
import './ui/theme/tokens.css';
import './first/first-page.css';
import { preloadFirstScreen } from './preload-first-screen.js';
import { createQueryClient } from './data/client/query-client.js';
import { setCsrfRenewal } from './data/client/send-request.js';
import { forgetSecrets } from './data/keys/key-vault.js';
import { fetchSession } from './data/session/queries.js';
import { createConsoleRouter } from './router.js';
import { ConsoleTheme } from './ui/theme/console-theme.js';
import { yieldToMain } from './yield-to-main.js';

/**
 * Redirects to the sign-in page when a response shows that the session has expired or was ended elsewhere.
 */
function goToSignIn(router: ReturnType<typeof createConsoleRouter>, queryClient: QueryClient): void {
  const { pathname, href } = router.state.location;
  if (/^\/(login|signup|forgot|reset|verify)(\/|$)/.test(pathname)) return;
  forgetSecrets();
  queryClient.clear();
  void router.navigate({ to: '/login', search: { next: href } });
}

/** Opens the list of projects, which explains what an organization requires of its members. */
function showClosed(router: ReturnType<typeof createConsoleRouter>, queryClient: QueryClient): void {
  queryClient.clear();
  void router.navigate({ to: '/projects' });
}

/** Starts the console. It yields to the browser between its parts, so that a phone stays responsive. */
async function start(): Promise<void> {
  const element = document.getElementById('root');
  if (!element) throw new Error('The page has no #root.');
  await yieldToMain();
  const queryClient = createQueryClient(
    () => goToSignIn(router, queryClient),
    () => showClosed(router, queryClient),
  );
  const router = createConsoleRouter(queryClient);
  setCsrfRenewal(async () => (await fetchSession()).csrf_token);
  await yieldToMain();
  await preloadFirstScreen(router, queryClient, window.location.pathname);
  // The route is loaded before React starts. Otherwise React would load it in one task together with the
  // first render.
  await router.load();
  await yieldToMain();
  // The first render is split into slices, as in `Later`, so that a phone stays responsive.
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <ConsoleTheme>
            <RouterProvider router={router} />
          </ConsoleTheme>
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
}

void start();
