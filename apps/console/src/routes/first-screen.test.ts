import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FirstScreen } from './first-screen.js';

it('puts the first screen off to a render that is made in slices', () => {
  // What is shown at once is nothing: a screen would ask for its router here, and find none.
  expect(renderToStaticMarkup(createElement(FirstScreen))).toBe('');
});
