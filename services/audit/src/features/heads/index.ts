import { signer, verifier } from '@sluice/contracts';
import { sqlOf, type ServiceRuntime } from '@sluice/service-kit';
import type { AuditEnvironment } from '../../config.ts';
import { headsInFolder } from './head-publisher.ts';
import { Heads } from './heads.service.ts';

/** Publishes heads where the operator has named a place for them. */
export function startHeads(
  runtime: ServiceRuntime,
  { AUDIT_HEADS_DIR, AUDIT_HEADS_MINUTES, SIGNING_KEYS, TRUSTED_KEYS }: AuditEnvironment,
): Heads | undefined {
  const { pool, now, log } = runtime;
  if (AUDIT_HEADS_DIR === undefined) return undefined;
  const heads = new Heads({
    sql: sqlOf(pool),
    publisher: headsInFolder(AUDIT_HEADS_DIR),
    sign: signer(SIGNING_KEYS),
    verify: verifier(TRUSTED_KEYS),
    everyMinutes: AUDIT_HEADS_MINUTES,
    now,
    log,
  });
  heads.start();
  runtime.onStop(() => heads.stop());
  return heads;
}
