import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { InTurn } from './in-turn.js';

it('it starts with the first existing child at any depth and defers the others', () => {
  const line = (text: string) => createElement('p', { key: text }, text);
  const inner = createElement(InTurn, { key: 'inner', children: [line('one'), line('two')] });
  expect(renderToStaticMarkup(createElement(InTurn, { children: [null, inner, line('three')] }))).toBe(
    '<p>one</p>',
  );
});
