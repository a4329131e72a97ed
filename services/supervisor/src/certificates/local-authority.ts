import { isIP } from 'node:net';
import type { SecretBox } from '@sluice/system/secrets';
import { createAuthority, issueCertificate } from '@sluice/system/authority';
import type { Database } from '../database/tables.ts';
import {
  insertAuthority,
  listAuthorities,
  lockAuthorities,
  type Authority,
} from '../stores/certificate-authorities.store.ts';
import type { CertificateDriver, CertificateRequest, IssuedCertificate } from './certificate-driver.ts';

interface LocalAuthorityOptions {
  database: Database;
  secrets: SecretBox;
  /** what clients read who issued the certificate, such as "Sluice cloud_a us-east-1" */
  name: string;
  authorityDays: number;
  certificateDays: number;
  now: () => Date;
}

/** An authority that never has anybody wait. */
export interface LocalAuthority extends CertificateDriver {
  issue(request: CertificateRequest): Promise<IssuedCertificate>;
}

/** Of its life an authority has come so far when the next one is made, and when that begins to sign. */
const successorFrom = 2 / 3;
const successorSigns = 3 / 4;

/**
 * The region's own authority, which its replicas share. The next one is made in time and told to clients with the one at work, long before
 * it signs, so that whoever has fetched the authorities meanwhile trusts both.
 */
export function createLocalAuthority(options: LocalAuthorityOptions): LocalAuthority {
  const { database, secrets, name, authorityDays, certificateDays, now } = options;

  async function current(): Promise<Authority[]> {
    const found = (await listAuthorities(database)).filter(({ not_after }) => not_after > now());
    if (!needsNext(found, now())) return found;
    return await database.transaction().execute(async (tx) => {
      await lockAuthorities(tx);
      const again = (await listAuthorities(tx)).filter(({ not_after }) => not_after > now());
      if (!needsNext(again, now())) return again;
      const from = now();
      const pair = await createAuthority(`${name} ${from.toISOString().slice(0, 10)}`, {
        from,
        days: authorityDays,
      });
      const [newest] = again;
      const next = await insertAuthority(tx, {
        certificate: pair.certificate,
        sealed_key: await secrets.seal(pair.private_key),
        not_before: from,
        not_after: new Date(from.getTime() + authorityDays * dayMilliseconds),
        signs_from: newest ? at(newest, successorSigns) : from,
      });
      return [next, ...again];
    });
  }

  return {
    async issue({ names, hosts }) {
      const authorities = await current();
      const signing = authorities.find(({ signs_from }) => signs_from <= now()) ?? authorities.at(-1);
      if (!signing) throw new Error('there is no authority');
      const key = await secrets.open(signing.sealed_key);
      const pair = await issueCertificate(
        { certificate: signing.certificate, private_key: key },
        subjectOf(names, hosts),
        { from: now(), days: certificateDays },
      );
      return { ...pair, authority: authorities.map(({ certificate }) => certificate).join('') };
    },
  };
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** @param authorities the newest first */
function needsNext([newest]: readonly Authority[], now: Date): boolean {
  return newest === undefined || at(newest, successorFrom) <= now;
}

function at({ not_before, not_after }: Authority, share: number): Date {
  return new Date(not_before.getTime() + (not_after.getTime() - not_before.getTime()) * share);
}

const loopback = { dns: ['localhost'], addresses: ['127.0.0.1', '::1'] };

/** On a machine of its own a deployment is reached by any of the machine's own names: its domain may lead nowhere. */
function subjectOf(names: readonly string[], hosts: readonly string[]) {
  const isLocal = hosts.some((host) => host === 'localhost' || host === '::1' || host.startsWith('127.'));
  const [addresses, dns] = [hosts.filter((host) => isIP(host) > 0), hosts.filter((host) => isIP(host) === 0)];
  const specific = (address: string) => address !== '0.0.0.0' && address !== '::';
  return {
    dns: [...new Set([...names, ...dns, ...(isLocal ? loopback.dns : [])])],
    addresses: [...new Set([...addresses.filter(specific), ...(isLocal ? loopback.addresses : [])])],
  };
}
