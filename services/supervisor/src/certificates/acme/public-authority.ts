import type { Log } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import type { z } from 'zod';
import type { Database } from '../../database/tables.ts';
import type { CertificateDriver } from '../certificate-driver.ts';
import { accounts } from './account.ts';
import { createAcmeDriver } from './acme-driver.ts';
import { requireAcme, type acmeSettings } from './acme-settings.ts';
import { certificatesOf } from './chain.ts';
import { challengeRecords, removeUnneeded } from './challenge-records.ts';
import { httpReqProvider } from './dns-provider.ts';
import { httpClient } from './http.ts';
import { acmeProtocol } from './protocol.ts';
import { visibility } from './visibility.ts';

export interface PublicAuthorityOptions {
  environment: z.infer<z.ZodObject<typeof acmeSettings>>;
  database: Database;
  secrets: SecretBox;
  stopping: AbortSignal;
  log: Log;
  now: () => Date;
}

/** The public authority that the settings name. @throws ConfigError */
export function createPublicAuthority(options: PublicAuthorityOptions): CertificateDriver {
  const { database, secrets, stopping, log, now } = options;
  const environment = requireAcme(options.environment);
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
  removeUnneeded({ database, provider }, stopping, log);
  return createAcmeDriver({
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
}

/** Those that have a name of their own, which a public authority can prove, are the one's; all others the other's. */
export function byName(named: CertificateDriver, others: CertificateDriver): CertificateDriver {
  return {
    ...named,
    issue: (request, call) => (request.names.length > 0 ? named : others).issue(request, call),
  };
}
