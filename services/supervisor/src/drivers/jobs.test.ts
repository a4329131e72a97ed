import { drivers as acme } from '@sluice/driver-acme';
import { drivers as local } from '@sluice/driver-local';
import { drivers as machines } from '@sluice/driver-machines';
import { registryOf, type Driver, type NodeProvider } from '@sluice/drivers';
import { ThirdCloud, thirdCloudDrivers } from '@sluice/drivers/testing/third-cloud/index.ts';
import { createLog, readConfig } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { testFolder, testKeys } from '@sluice/testing';
import pg from 'pg';
import { environmentOf } from '../config.ts';
import type { Tables } from '@sluice/region-store/tables';
import { createDrivers } from '../drivers.ts';

const job = (name: string) => ({ name, every: 60, run: () => undefined });

/** The drivers of the third cloud, with a job for the nodes of each kind of deployment; they are for every cloud. */
function withJobs({ name, settings, compute, byoc, cloud: _, ...provided }: Driver): Driver {
  const add = <Provider extends NodeProvider | undefined>(provider: Provider, kind: string): Provider =>
    provider && { ...provider, compute: { ...provider.compute, jobs: [job(`${name}_${kind}`)] } };
  return {
    ...{ ...provided, name, settings },
    ...(compute && { compute: { create: async (...on) => add(await compute.create(...on), 'compute') } }),
    ...(byoc && { byoc: { create: async (...on) => add(await byoc.create(...on), 'byoc') } }),
  };
}

/** The local driver, with a job for its certificates: it has none of its own. */
const withCertificateJob = (driver: Driver): Driver => {
  const { certificates } = driver;
  if (!certificates) return driver;
  const create: typeof certificates.create = async (...on) => ({
    ...(await certificates.create(...on)),
    jobs: [job('local_certificates')],
  });
  return { ...driver, certificates: { ...certificates, create } };
};

const registry = registryOf([
  ...[...local.map(withCertificateJob), ...machines, ...acme],
  ...thirdCloudDrivers(new ThirdCloud()).map(withJobs),
]);

async function jobsWith(settings: Record<string, string>): Promise<string[]> {
  const environment = readConfig(environmentOf(registry), {
    ...{ CLOUD: 'cloud_a', REGION: 'us-east-1', PUBLIC_URL: 'http://127.0.0.1:1', PORT: '1' },
    ...{ DATABASE_URL: 'postgres://127.0.0.1:1/none', NATS_URL: 'nats://127.0.0.1:1' },
    ...{ SIGNING_KEYS: testKeys.signing.get('supervisor/cloud_a/us-east-1'), TRUSTED_KEYS: testKeys.trusted },
    SECRETS_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    LOCAL_NODES_DIR: await testFolder(),
    ...settings,
  });
  // nothing is asked of the database until a job runs
  const database = openKysely<Tables>(new pg.Pool());
  const log = createLog('test', 'error');
  const { compute, certificates } = await createDrivers(
    ...([environment, log, AbortSignal.abort(), database, registry] as const),
  );
  const jobs = [...(compute.jobs ?? []), ...(certificates?.jobs ?? [])];
  return jobs.map(({ name }) => name).sort();
}

const acmeSettings = {
  CERTIFICATE_DRIVER: 'acme',
  ACME_DIRECTORY_URL: 'https://ca.example/directory',
  ACME_TERMS_AGREED: 'true',
  ACME_DNS_URL: 'https://dns.example',
};
const cloudC = { COMPUTE_DRIVER: 'cloud_c', CLOUD_C_IMAGE: 'image-1' };
const ofLocal = ['agent_upgrades', 'node_watch', 'local_certificates'];

test.each([
  ['those that are named by default', {}, ofLocal],
  // deployments without a name keep certificates of the local one
  ['a public authority', acmeSettings, [...ofLocal, 'unneeded_dns_records']],
  // deployments keep the driver of byoc that they were made with, whichever is named now
  ['another that is set up', { CLOUD_C_IMAGE: 'image-1' }, [...ofLocal, 'cloud_c_byoc']],
  ['another in place of the local one', cloudC, ['cloud_c_byoc', 'cloud_c_compute', 'local_certificates']],
])(
  'of all registered drivers only those that are set up have periodic jobs: %s',
  async (_, settings, jobs) => {
    expect(await jobsWith(settings)).toEqual([...jobs].sort());
  },
);
