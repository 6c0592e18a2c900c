import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FirstScreen } from './first-screen.js';

it('the first screen is rendered in slices', () => {
  // The first render is empty. A screen would look for its router here and fail.
  expect(renderToStaticMarkup(createElement(FirstScreen))).toBe('');
});
