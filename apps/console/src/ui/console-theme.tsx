import { localStorageColorSchemeManager, MantineContext, MantineThemeProvider, useProviderColorScheme } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { theme } from './theme.js';

const scheme = localStorageColorSchemeManager({ key: 'rowhouse-color-scheme' });
const findRoot = (): HTMLElement => document.documentElement;

/**
 * What Mantine's own provider gives its components, without the two sheets that it writes in the browser: those of the theme
 * stand in ours (`build/theme-variables.ts`), and the classes for window widths are not used here. Written in the browser, they
 * took a phone 0.1 s before anything was shown, and all that was shown already was measured once more.
 */
export function ConsoleTheme({ children }: { readonly children: ReactNode }) {
  const { colorScheme, setColorScheme, clearColorScheme } = useProviderColorScheme({ manager: scheme, defaultColorScheme: 'auto', forceColorScheme: undefined, getRootElement: findRoot });
  const value = useMemo(
    () => ({ colorScheme, setColorScheme, clearColorScheme, getRootElement: findRoot, classNamesPrefix: 'mantine', cssVariablesSelector: ':root', withStaticClasses: false }),
    [colorScheme, setColorScheme, clearColorScheme],
  );
  return <MantineContext value={value}><MantineThemeProvider theme={theme}>{children}</MantineThemeProvider></MantineContext>;
}
