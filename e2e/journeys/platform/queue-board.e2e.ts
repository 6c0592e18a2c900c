import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type PersonsBrowser } from '../../support/console/browser.mjs';
import { signIn, signUp } from '../../support/control.mjs';
import { readProduct } from '../../support/product.mjs';

const product = readProduct();
const BOARD = `${product.control}/api/admin/queues`;

describe('the queue dashboard in a browser', () => {
  let browser: PersonsBrowser;
  /** The violations of the page's content security policy. */
  const violations: string[] = [];

  const enter = async (cookies: string): Promise<void> => {
    await browser.context.clearCookies();
    await browser.context.addCookies(
      cookies.split('; ').map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return { name, value: value.join('='), url: product.control };
      }),
    );
  };

  beforeAll(async () => {
    browser = await openBrowser();
    await browser.page.exposeFunction('noteViolation', (text: string) => violations.push(text));
    await browser.page.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', (event) =>
        (globalThis as unknown as { noteViolation(text: string): void }).noteViolation(
          `${event.violatedDirective} ${event.blockedURI}`,
        ),
      ),
    );
  });

  afterAll(() => browser.close());

  it('an operator can open the queue dashboard, which sends no request to another host', async () => {
    await enter((await signIn(product.control, product.demo)).state.cookie);
    await browser.page.goto(BOARD);
    await browser.page.getByText('wake', { exact: true }).first().click();
    await expect.poll(() => browser.page.url()).toContain('/queue/wake');
    await browser.page.reload();
    await browser.page.getByText('wake', { exact: true }).first().waitFor();
    expect([violations, browser.troubles, [...browser.hosts]]).toEqual([
      [],
      [],
      [new URL(product.control).host],
    ]);
  });

  it('users who are not operators cannot open the queue dashboard', async () => {
    await enter((await signUp(product.control)).control.state.cookie);
    expect((await browser.page.goto(BOARD))?.status()).toBe(403);
    await browser.context.clearCookies();
    expect((await browser.page.goto(BOARD))?.status()).toBe(401);
  });
});
