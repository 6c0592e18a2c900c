import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessFaults, openBrowser, type PersonsBrowser } from '../../support/console/browser.mjs';
import { signUp, type TestUser } from '../../support/control.mjs';
import { signInBrowser } from '../../support/console/seed-demo-house.mjs';
import { readProduct } from '../../support/product.mjs';

/** Protects an account with a second factor, in a browser. */
describe('account security in the console', () => {
  const product = readProduct();
  let user: TestUser;
  let browser: PersonsBrowser;
  let secret = '';
  let codes: string[] = [];
  beforeAll(async () => {
    user = await signUp(product.control, { name: 'Tess', project: 'Vault', starter: 'empty' });
    browser = await openBrowser();
    browser.page.setDefaultTimeout(20_000);
    await signInBrowser(browser.context, product.control, user.control);
  });
  afterAll(() => browser?.close());
  /** Returns the code of the time step that is `steps` after the current one. Each code works once. */
  const codeOf = (steps = 0): Promise<string> =>
    generate({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });

  it('an authenticator app is set up with a QR code, and recovery codes are shown once', async () => {
    const { page } = browser;
    await page.goto(`${product.control}/account`);
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(user.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    secret = (await dialog.locator('code').first().textContent()) ?? '';
    expect(await findAccessFaults(page)).toEqual([]);
    await dialog.getByLabel(/^Code/).fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('The code is wrong').waitFor();
    await dialog.getByLabel(/^Code/).fill(await codeOf(-1));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const list = dialog.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    codes = await list.getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    expect(await findAccessFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes left').waitFor();
  });

  it('sign-in asks for a code, and the other devices are signed out with one click', async () => {
    const other = await openBrowser();
    try {
      const { page } = other;
      page.setDefaultTimeout(20_000);
      await page.goto(`${product.control}/login`);
      await page.getByLabel('Email').fill(user.email);
      await page.getByLabel(/^Password/).fill(user.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel(/^Code/).fill(await codeOf());
      expect(await findAccessFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(/\/projects/);
      await browser.page.goto(`${product.control}/account`);
      await browser.page.getByRole('button', { name: 'Sign out other devices' }).click();
      await browser.page.getByRole('status').getByText('1 other device signed out.').waitFor();
      await page.goto(`${product.control}/account`);
      await page.waitForURL(/\/login/);
      // A recovery code signs in without the phone.
      await page.getByLabel('Email').fill(user.email);
      await page.getByLabel(/^Password/).fill(user.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').fill(String(codes[0]));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(/\/account/);
      await page.getByText('9 recovery codes left').waitFor();
    } finally {
      await other.close();
    }
  });

  it('an owner requires two-factor authentication, and a member without it sets it up', async () => {
    const { page } = browser;
    const { organization } = user.answer;
    const member = await signUp(product.control, { name: 'Milo', project: 'Shed', starter: 'empty' });
    const { token } = (
      await user.control.call('POST', `/api/organizations/${organization.id}/invitations`, {
        email: member.email,
        role: 'developer',
      })
    ).json;
    await member.control.call('POST', '/api/invitations/accept', { token });
    await page.goto(`${product.control}/projects/${user.projectId}/development/team`);
    await page.getByRole('switch', { name: 'Require two-factor authentication' }).click({ force: true });
    await page.getByRole('dialog').getByText('1 member without it will lose access').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Require' }).click();
    await page.getByRole('status').getByText('Two-factor authentication is required.').waitFor();
    expect(await findAccessFaults(page)).toEqual([]);
    const other = await openBrowser();
    try {
      other.page.setDefaultTimeout(20_000);
      await signInBrowser(other.context, product.control, member.control);
      for (const path of ['/projects', `/projects/${user.projectId}/development/schema`]) {
        await other.page.goto(`${product.control}${path}`);
        await other.page.getByRole('heading', { name: 'Two-factor authentication required' }).waitFor();
      }
      await other.page.getByRole('link', { name: 'Set up' }).click();
      await other.page.getByRole('button', { name: 'Set up' }).waitFor();
    } finally {
      await other.close();
    }
  });

  it('turning off needs the password and a code', async () => {
    const { page } = browser;
    await page.goto(`${product.control}/account`);
    await page.getByRole('button', { name: 'Turn off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(user.password);
    await dialog.getByLabel(/^Code/).fill(String(codes[0]));
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByText('The code is wrong').waitFor();
    await dialog.getByLabel(/^Code/).fill(String(codes[1]));
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Off. Your password alone signs you in.').waitFor();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
  });

  it('a passkey is added, renamed, signs in without a password, and is removed', async () => {
    // Browsers create no passkeys for IP addresses.
    const home = product.control.replace('127.0.0.1', 'localhost');
    const member = await signUp(product.control, { name: 'Pia', project: 'Keys', starter: 'empty' });
    const own = await openBrowser();
    try {
      const { page } = own;
      page.setDefaultTimeout(20_000);
      const devtools = await own.context.newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await signInBrowser(own.context, home, member.control);
      await page.goto(`${home}/account`);
      await page.getByRole('button', { name: 'Add passkey' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Laptop');
      await dialog.getByLabel('Your password').fill(member.password);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('status').getByText('Laptop added.').waitFor();
      await page.getByRole('button', { name: 'Rename Laptop' }).click();
      await dialog.getByLabel('Name').fill('Work laptop');
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('button', { name: 'Remove Work laptop' }).waitFor();
      expect(await findAccessFaults(page)).toEqual([]);
      await own.context.clearCookies();
      await page.goto(`${home}/login`);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.waitForURL(/\/projects/);
      await page.goto(`${home}/account`);
      await page.getByRole('button', { name: 'Remove Work laptop' }).click();
      await dialog.getByRole('button', { name: 'Remove passkey' }).click();
      await page.getByText('No passkeys yet.').waitFor();
      await own.context.clearCookies();
      await page.goto(`${home}/login`);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByText('This passkey is unknown').waitFor();
    } finally {
      await own.close();
    }
  });
});
