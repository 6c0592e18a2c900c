import { MantineProvider, type MantineThemeOverride } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';

const SHEET = /@mantine[\\/]core[\\/]styles[\\/]default-css-variables\.css$/;

/**
 * Replaces the library's sheet of variables with those of our theme. Otherwise its provider would correct
 * them in the browser, which delays the first paint and changes the font afterwards.
 */
export function themeVariables(theme: MantineThemeOverride): Plugin {
  let wasFound = false;
  return {
    name: 'theme-variables',
    load: {
      filter: { id: SHEET },
      handler() {
        wasFound = true;
        return writeVariables(theme);
      },
    },
    buildEnd(error) {
      if (error === undefined && !wasFound)
        this.error('The sheet of the variables of @mantine/core is no longer where it was');
    },
  };
}

/** Returns what the library's provider would write for this theme. Throws if that is empty. */
export function writeVariables(theme: MantineThemeOverride): string {
  const markup = renderToStaticMarkup(
    createElement(MantineProvider, { theme, deduplicateCssVariables: false, withGlobalClasses: false }),
  );
  const css = /^<style[^>]*>(.+)<\/style>$/s.exec(markup)?.[1];
  if (css === undefined) throw new Error('The provider of @mantine/core has written no variables');
  return css;
}
