import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer, type TestMailServer } from '../../testing/start-mail-server.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient } from '../../testing/test-client.js';

const OPERATOR = 'operator@example.test';

let mail: TestMailServer;
let plane: TestControlPlane;

beforeAll(async () => {
  mail = await startMailServer();
  plane = await startTestControlPlane({ ROWHOUSE_OPERATOR_EMAIL: OPERATOR, SMTP_URL: mail.url });
}, 60_000);
afterAll(async () => {
  await plane?.stop();
  await mail?.stop();
});

/** Returns the token of the `nth` email with this subject. */
async function readToken(to: string, subject: string, nth = 1): Promise<string> {
  const find = () =>
    mail.mails.filter((receivedMail) => receivedMail.to === to && receivedMail.subject.includes(subject));
  await expect.poll(() => find().length, { timeout: 20_000 }).toBe(nth);
  return /\/(rhm_\w+)/.exec(find()[nth - 1]?.text ?? '')?.[1] ?? '';
}
const mayAdminister = async (client: TestClient, headers = {}): Promise<boolean> =>
  (await client.get('/api/admin/servers', headers)).status === 200;

describe("the operator's address", () => {
  it('a sign-up with the operator’s address creates no operator before its confirmation', async () => {
    const squatter = new TestClient(plane.app);
    expect((await squatter.signUp(OPERATOR, { starter: 'empty' })).json['account']).toMatchObject({
      is_operator: false,
    });
    const token = {
      authorization: `Bearer ${(await squatter.post('/api/tokens', { name: 'kept' })).json['token']}`,
    };
    expect(await mayAdminister(squatter)).toBe(false);

    const owner = new TestClient(plane.app);
    expect(
      (await owner.post('/api/auth/verify', { token: await readToken(OPERATOR, 'Confirm') })).status,
    ).toBe(204);
    expect((await squatter.get('/api/me')).json['account']).toMatchObject({
      email_verified: true,
      is_operator: false,
    });
    expect(await mayAdminister(squatter)).toBe(false);

    // The recipient of the email takes over the account, and its creator is locked out.
    expect((await owner.post('/api/auth/forgot', { email: OPERATOR })).status).toBe(202);
    expect(
      await owner.post('/api/auth/reset', {
        token: await readToken(OPERATOR, 'new password'),
        password: 'of the operator alone',
      }),
    ).toMatchObject({ status: 200, json: { sessions_ended: 1, tokens_ended: 1 } });
    await owner.post('/api/auth/login', { email: OPERATOR, password: 'of the operator alone' });
    expect(await mayAdminister(owner)).toBe(true);
    expect((await squatter.get('/api/me')).status).toBe(401);
    expect((await new TestClient(plane.app).get('/api/me', token)).status).toBe(401);
  });

  it('an account becomes an operator when it confirms the operator’s address while signed in', async () => {
    await plane.db.global.query(
      "UPDATE account SET email = 'former@example.test', is_operator = 0 WHERE email = ?",
      [OPERATOR],
    );
    const operator = new TestClient(plane.app);
    await operator.signUp(OPERATOR, { starter: 'empty' });
    const token = await readToken(OPERATOR, 'Confirm', 2);
    const outsider = new TestClient(plane.app);
    await outsider.signUp('stranger@example.test', { starter: 'empty' });
    expect(
      (
        await outsider.post('/api/auth/verify', {
          token: await readToken('stranger@example.test', 'Confirm'),
        })
      ).status,
    ).toBe(204);
    expect(await mayAdminister(outsider)).toBe(false);
    expect((await operator.post('/api/auth/verify', { token })).status).toBe(204);
    expect((await operator.get('/api/me')).json['account']).toMatchObject({ is_operator: true });
    expect(await mayAdminister(operator)).toBe(true);
    expect(
      (await plane.db.global.query("SELECT action FROM audit_event WHERE action = 'account.operator'"))
        .length,
    ).toBe(2);
  });
});
