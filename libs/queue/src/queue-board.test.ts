import { expect, it } from 'vitest';
import { renderPage } from './queue-board.js';

const TEMPLATE = `<html><head><base href="<%= basePath %>" /><link href="https://fonts.example/css?x" rel="stylesheet">
<link href="static/css/main.88.css" rel="stylesheet"></head><body><script>alert(1)</script><script id="__UI_CONFIG__" type="application/json"><%- uiConfig %></script>
<script defer src="static/js/lib.a1.js"></script><script defer src="static/js/main.b2.js"></script></body></html>`;

it('the page of the queue board loads only files of its package', () => {
  const page = renderPage(TEMPLATE, '/api/admin/queues', { boardTitle: '</script><script>' });
  expect(page).toContain('<base href="/api/admin/queues/">');
  expect(page).toContain('<link rel="stylesheet" href="static/css/main.88.css">');
  expect(page).toContain(
    '<script defer src="static/js/lib.a1.js"></script><script defer src="static/js/main.b2.js"></script>',
  );
  expect(page).not.toMatch(/alert|fonts\.example|<%/);
  expect(page).toContain('{"boardTitle":"\\u003c/script>\\u003cscript>"}');
});
