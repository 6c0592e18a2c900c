import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/mantine-styles.js';
import './ui/tokens.css';
import { beginFirstScreen } from './begin-first-screen.js';
import { createQueryClient } from './data/client/query-client.js';
import { setCsrfRenewal } from './data/client/send-request.js';
import { forgetSecrets } from './data/keys/key-vault.js';
import { fetchSession } from './data/session/queries.js';
import { createConsoleRouter } from './router.js';
import { theme } from './ui/theme.js';

const queryClient = createQueryClient(goToSignIn);
const router = createConsoleRouter(queryClient);
setCsrfRenewal(async () => (await fetchSession()).csrf_token);

/** Any call may find the session gone (signed out elsewhere, expired): then the way back is through the door. */
function goToSignIn(): void {
  const { pathname, href } = router.state.location;
  if (/^\/(login|signup|forgot|reset|verify)(\/|$)/.test(pathname)) return;
  forgetSecrets();
  queryClient.clear();
  void router.navigate({ to: '/login', search: { next: href } });
}

beginFirstScreen(router, queryClient, window.location.pathname);

const element = document.getElementById('root');
if (!element) throw new Error('The page has no #root.');
const page = createRoot(element);
// In slices, as `Later` tells: a phone hears taps between them.
startTransition(() => page.render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={localStorageColorSchemeManager({ key: 'rowhouse-color-scheme' })}>
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>
  </StrictMode>,
));
