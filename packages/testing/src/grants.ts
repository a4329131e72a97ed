import { jetstream } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import {
  compileRole,
  grantKey,
  idOf,
  newApiToken,
  systemRoles,
  type ApiKeyId,
  type Grant,
  type TenantId,
  type Topology,
  type UserId,
} from '@sluice/contracts';

/** The grant of an admin's key in tenant 1. */
export function aGrant(more: Partial<Grant> = {}): Grant {
  return {
    tenant_id: idOf<TenantId>(1),
    user: { id: idOf<UserId>(5), name: 'Ada' },
    api_key: { id: idOf<ApiKeyId>(9), name: 'ci' },
    owner: false,
    permissions: compileRole(systemRoles.admin),
    division_id: null,
    allowed_ips: null,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    ...more,
  };
}

/** Publishes a grant as main-api's relay does, null to delete it, and answers the token that it belongs to. */
export async function publishGrant(
  { nats, topology }: { nats: NatsConnection; topology: Topology },
  grant: Grant | null,
  token = newApiToken(),
): Promise<string> {
  const subject = `$KV.${topology.buckets.grants}.${grantKey(token)}`;
  const header = headers();
  if (!grant) header.set('KV-Operation', 'DEL');
  await jetstream(nats).publish(subject, grant ? JSON.stringify(grant) : '', { headers: header });
  return token;
}
