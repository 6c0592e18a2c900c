import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FirstScreen } from './first-screen.js';

it('the first screen of the console is rendered in several tasks', () => {
  // The first render is empty. If it contained a screen, that screen would look for its router here and fail.
  expect(renderToStaticMarkup(createElement(FirstScreen))).toBe('');
});
