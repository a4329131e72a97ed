import { verifier } from '@sluice/contracts';
import { GrantIndex } from '@sluice/grants';
import { checkSignatures } from '@sluice/messaging';
import { createLog, readConfig, serviceEnvironment, system } from '@sluice/service';
import { Counter } from '@prometheus-io/client';
import { mainApi } from '#test/main-api.ts';
import { openDataSource } from '../../data-source.ts';
import { databaseOf } from '@sluice/main-store/database';
import { readBucket } from '@sluice/grant-publication/grants.store';
import { offlineUnitOfWork } from '@sluice/grant-publication/publication/offline-work';
import { insertDifferences } from './restore-differences.store.ts';
import { reviewRestoredRights } from './restore-review.ts';

const on = mainApi({ per: 'test', replicas: 0 });
const a = on.tenants();

test('a key that another replica has frozen, and published, since the table was read was not removed', async () => {
  await on.start();
  await a.tenant();
  await on.stopAll();
  // the bucket was made anew, and has nothing
  await on.sql('UPDATE grant_bucket SET bucket = bucket + 1, review = true, judges = false');
  const log = createLog('tests', 'error');
  const dataSource = await openDataSource(on.databaseUrl, 2, log);
  const work = offlineUnitOfWork(dataSource, on.topology);
  const versionOf = async (key: string) =>
    Number((await on.sql('SELECT version FROM grants WHERE key = $1', [key]))[0]?.['version']);
  const standing = async (key: string) => {
    await work(system, async (tx) => {
      const about = { tenant_id: null, about: 'key', person: null, evidence: 'another replica', detail: {} };
      await insertDifferences(tx, [{ kind: 'key_unjudged', subject: key, ...about }]);
      await tx.setFrozen([key], true);
    });
    return { sequence: 1, version: await versionOf(key), payload: '' };
  };
  const { TRUSTED_KEYS } = readConfig(serviceEnvironment.pick({ TRUSTED_KEYS: true }), on.environment);
  const database = databaseOf(dataSource.manager);
  const reviewed = new Counter({ name: 'reviewed', help: 'rights', labelNames: ['outcome'], registers: [] });
  const { nats, topology } = on;
  const senderOf = checkSignatures(topology, { TRUSTED_KEYS });
  const review = { database, work, now: () => new Date(), publisher: { standing } };
  await reviewRestoredRights(
    { ...review, nats, topology, senderOf, reviewed, log },
    await readBucket(database),
    new GrantIndex(verifier(TRUSTED_KEYS)),
  );
  await dataSource.destroy();
  expect(await on.sql('SELECT evidence FROM restore_differences')).toEqual([{ evidence: 'another replica' }]);
  expect(await on.sql('SELECT count(*)::int AS count FROM api_keys')).toEqual([{ count: 1 }]);
  expect(await on.sql('SELECT frozen FROM grants WHERE content IS NOT NULL')).toEqual([{ frozen: true }]);
  expect(await on.sql('SELECT review FROM grant_bucket')).toEqual([{ review: false }]);
});
