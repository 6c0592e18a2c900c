import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { RenderInOrder } from './render-in-order.js';

it('RenderInOrder renders its first child and defers the others', () => {
  const line = (text: string) => createElement('p', { key: text }, text);
  const inner = createElement(RenderInOrder, { key: 'inner', children: [line('one'), line('two')] });
  expect(renderToStaticMarkup(createElement(RenderInOrder, { children: [null, inner, line('three')] }))).toBe(
    '<p>one</p>',
  );
});
