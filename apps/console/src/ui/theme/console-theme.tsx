import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { theme } from './theme.js';

const scheme = localStorageColorSchemeManager({ key: 'rowhouse-color-scheme' });
const findRoot = (): HTMLElement => document.documentElement;

/**
 * Provides what Mantine's components get from Mantine's provider, without the provider's two style elements.
 * The console's style sheet contains the theme (`build/theme-variables.ts`), and the responsive classes are
 * not used. Creating these elements in the browser delayed the first paint by 0.1 s on a phone and caused
 * another layout.
 */
export function ConsoleTheme({ children }: { readonly children: ReactNode }) {
  const { colorScheme, setColorScheme, clearColorScheme } = useProviderColorScheme({
    manager: scheme,
    defaultColorScheme: 'auto',
    forceColorScheme: undefined,
    getRootElement: findRoot,
  });
  const value = useMemo(
    () => ({
      colorScheme,
      setColorScheme,
      clearColorScheme,
      getRootElement: findRoot,
      classNamesPrefix: 'mantine',
      cssVariablesSelector: ':root',
      withStaticClasses: false,
    }),
    [colorScheme, setColorScheme, clearColorScheme],
  );
  return (
    <MantineContext value={value}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
