import { MantineProvider, type MantineThemeOverride } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';

const SHEET = /@mantine[\\/]core[\\/]styles[\\/]default-css-variables\.css$/;

/**
 * A plugin that replaces Mantine's style sheet of variables with one for the console's theme. Otherwise
 * Mantine would set the variables in the browser, which delays the first paint and then changes the font.
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
        this.error('The style sheet with the variables of @mantine/core is not at its expected path');
    },
  };
}

/**
 * Returns the CSS that Mantine's provider would write in the browser for this theme. Throws if it is empty.
 */
export function writeVariables(theme: MantineThemeOverride): string {
  const markup = renderToStaticMarkup(
    createElement(MantineProvider, { theme, deduplicateCssVariables: false, withGlobalClasses: false }),
  );
  const css = /^<style[^>]*>(.+)<\/style>$/s.exec(markup)?.[1];
  if (css === undefined) throw new Error('The provider of @mantine/core wrote no variables');
  return css;
}
