import type { DesiredState } from '@sluice/contracts';
import { createAuthority, issueCertificate, type KeyPair } from '@sluice/system/authority';

export type BrokerTls = NonNullable<DesiredState['broker']['tls']>;

export const serverName = 'orders-0001abc.sluice.localhost';

export async function testAuthority() {
  const authority = await createAuthority('Test authority', { from: new Date(), days: 2 });
  return {
    authority: authority.certificate,
    issue: (changes: Partial<BrokerTls> = {}) => issue(authority, changes),
  };
}

async function issue(authority: KeyPair, changes: Partial<BrokerTls>): Promise<BrokerTls> {
  const names = { dns: [serverName, 'localhost'], addresses: ['127.0.0.1'] };
  const pair = await issueCertificate(authority, names, { from: new Date(), days: 1 });
  return {
    ...pair,
    authority: authority.certificate,
    server_name: serverName,
    plain_text: false,
    ...changes,
  };
}
