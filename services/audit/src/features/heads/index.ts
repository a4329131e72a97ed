import { signer, verifier } from '@sluice/contracts';
import type { ServiceRuntime } from '@sluice/runtime';
import { sqlOf } from '@sluice/service';
import { Gauge } from 'prom-client';
import type { AuditEnvironment } from '../../config.ts';
import { headsInAll, headsInFolder, type HeadPublisher } from './head-publisher.ts';
import { headsInBucket } from './heads-in-bucket.ts';
import { Heads } from './heads.service.ts';

/** Publishes heads where the operator has named a place for them. */
export async function startHeads(
  runtime: ServiceRuntime,
  environment: AuditEnvironment,
): Promise<Heads | undefined> {
  const { pool, now, log, metrics } = runtime;
  const places = await placesOf(runtime, environment);
  if (places.length === 0) return undefined;
  const published = new Gauge({
    name: 'sluice_audit_heads_published_seconds',
    help: 'When the heads of all logs that had grown were last published, in seconds since 1970; 0 before the first time',
    registers: [metrics],
  });
  new Gauge({
    name: 'sluice_audit_heads_interval_seconds',
    help: 'After how many seconds heads of logs that have grown are to be published again',
    registers: [metrics],
  }).set(environment.AUDIT_HEADS_MINUTES * 60);
  const heads = new Heads({
    sql: sqlOf(pool),
    publisher: headsInAll(places),
    sign: signer(environment.SIGNING_KEYS),
    verify: verifier(environment.TRUSTED_KEYS),
    everyMinutes: environment.AUDIT_HEADS_MINUTES,
    now,
    log,
    published: () => published.set(now().getTime() / 1000),
  });
  heads.start();
  runtime.onStop(() => heads.stop());
  return heads;
}

async function placesOf(
  { now, log }: ServiceRuntime,
  environment: AuditEnvironment,
): Promise<HeadPublisher[]> {
  const { AUDIT_HEADS_DIR: folder, AUDIT_HEADS_BUCKET: bucket } = environment;
  const places: HeadPublisher[] = [];
  if (folder !== undefined) places.push(headsInFolder(folder));
  if (bucket !== undefined)
    places.push(
      await headsInBucket({
        bucket,
        prefix: environment.AUDIT_HEADS_PREFIX,
        region: environment.AUDIT_HEADS_REGION,
        endpoint: environment.AUDIT_HEADS_ENDPOINT,
        lockDays: environment.AUDIT_HEADS_LOCK_DAYS,
        now,
        log,
      }),
    );
  return places;
}
