import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../data/session/queries.js';
import { DeleteAccountPanel } from '../../features/account/delete-account-panel.js';
import { OrganizationList } from '../../features/account/organization-list.js';
import { PasskeyList } from '../../features/account/passkey-list.js';
import { PasswordPanel } from '../../features/account/password-panel.js';
import { ProfilePanel } from '../../features/account/profile-panel.js';
import { SessionList } from '../../features/account/session-list.js';
import { TokenList } from '../../features/account/token-list.js';
import { TwoFactorPanel } from '../../features/account/two-factor-panel.js';
import { headingOf } from '../../first/page-headings.js';
import { RenderInOrder } from '../../ui/loading/render-in-order.js';
import { Page } from '../../ui/layout/page.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';

/** The page with the settings of the user's account. */
export function AccountScreen() {
  const session = useQuery(sessionQuery);
  const account = session.data?.account;
  return (
    <Page {...headingOf('account')} lead={account?.email}>
      {account === undefined ? (
        <SkeletonRows rows={5} />
      ) : (
        <RenderInOrder>
          <ProfilePanel account={account} />
          <PasswordPanel email={account.email} />
          <TwoFactorPanel email={account.email} />
          <PasskeyList email={account.email} hasTwoFactor={account.has_two_factor} />
          <SessionList />
          <TokenList />
          <OrganizationList organizations={session.data?.organizations ?? []} accountId={account.id} />
          <DeleteAccountPanel account={account} />
        </RenderInOrder>
      )}
    </Page>
  );
}
