import { withTables, type CertificateDriver, type DriverHost } from '@sluice/drivers';
import type { AcmeTables } from './tables.ts';
import { accounts } from './account.ts';
import { createAcmeDriver } from './acme-driver.ts';
import { requireAcme, type AcmeSettings } from './acme-settings.ts';
import { certificatesOf } from './chain.ts';
import { challengeRecords, unneededRecordsJob } from './challenge-records.ts';
import { httpReqProvider } from './dns-provider.ts';
import { httpClient } from './http.ts';
import { acmeProtocol } from './protocol.ts';
import { visibility } from './visibility.ts';

export type PublicAuthorityHost = Pick<DriverHost, 'database' | 'secrets' | 'stopping' | 'log' | 'now'>;

export function createPublicAuthority(host: PublicAuthorityHost, settings: AcmeSettings): CertificateDriver {
  const { secrets, stopping, log, now } = host;
  const database = withTables<AcmeTables>(host.database);
  const environment = requireAcme(settings);
  const {
    ACME_DIRECTORY_URL: directoryUrl,
    ACME_EAB_KEY_ID: keyId,
    ACME_EAB_HMAC_KEY: hmacKey,
  } = environment;
  const http = httpClient({ who: 'the authority', ca: environment.ACME_TLS_CA, stopping });
  const protocol = acmeProtocol(http, directoryUrl, now);
  const provider = httpReqProvider({
    http: httpClient({ who: 'the DNS provider', ca: environment.ACME_DNS_TLS_CA, stopping }),
    endpoint: environment.ACME_DNS_URL,
    username: environment.ACME_DNS_USERNAME,
    password: environment.ACME_DNS_PASSWORD,
  });
  const driver = createAcmeDriver({
    ...{ database, secrets, directoryUrl, protocol, now },
    account: accounts({
      ...{ database, secrets, protocol, directoryUrl },
      contacts: environment.ACME_CONTACTS,
      termsAgreed: environment.ACME_TERMS_AGREED,
      binding: keyId !== undefined && hmacKey !== undefined ? { keyId, hmacKey } : undefined,
    }),
    records: challengeRecords({
      ...{ database, provider, now },
      findInvisible: visibility(environment.ACME_DNS_RESOLVERS),
      spreadSeconds: environment.ACME_DNS_SECONDS,
    }),
    roots: certificatesOf(environment.ACME_ROOTS ?? ''),
  });
  return { ...driver, jobs: [unneededRecordsJob({ database, provider, log })] };
}
