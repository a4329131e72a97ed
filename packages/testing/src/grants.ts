import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import {
  bucketQuestionSchema,
  compileRole,
  grantText,
  idOf,
  judgementContext,
  keyGrantKey,
  newApiToken,
  signedPayload,
  systemRoles,
  tokenHash,
  type ApiKeyId,
  type Grant,
  type Judgement,
  type TenantId,
  type Topology,
  type UserId,
} from '@sluice/contracts';
import { signAs } from './signing-keys.ts';

interface Place {
  nats: NatsConnection;
  topology: Topology;
}

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

const signAsMainApi = signAs('main-api');
let version = 0;

/**
 * Publishes what stands under a key of the bucket as main-api does, null to delete it.
 * @returns the revision at which it stands
 */
export async function putGrant(
  { nats, topology }: Place,
  key: string,
  grant: Grant | null,
  sign = signAsMainApi,
): Promise<number> {
  const header = headers();
  if (!grant) header.set('KV-Operation', 'DEL');
  const text = grant ? grantText(grant, ++version) : '';
  const { seq } = await jetstream(nats).publish(
    `$KV.${topology.buckets.grants}.${key}`,
    grant ? signedPayload(await sign(key, text), text) : '',
    { headers: header },
  );
  return seq;
}

/** Publishes the grant of a key of tenant 1 unless it says otherwise, and answers the token that it belongs to. */
export async function publishGrant(
  place: Place,
  grant: Grant | null,
  token = newApiToken(),
): Promise<string> {
  await putGrant(place, keyGrantKey(grant?.tenant_id ?? idOf<TenantId>(1), tokenHash(token)), grant);
  return token;
}

/** The newest revision of the grants. */
export async function newestGrant({ nats, topology }: Place): Promise<number> {
  const manager = await jetstreamManager(nats);
  return (await manager.streams.info(`KV_${topology.buckets.grants}`)).state.last_seq;
}

/** Plays main-api's part towards services that check keys: has the buckets, and confirms them. */
export class PlayedMainApi {
  readonly #place: Place;
  readonly #end: () => void;
  /** what instances are told that ask */
  judgement: Judgement = { current: true, epoch: 1 };

  constructor(place: Place) {
    this.#place = place;
    const subject = place.topology.subjects.grantsConfirmation;
    const subscription = place.nats.subscribe(subject, {
      callback: (_, message) => {
        const { nonce } = bucketQuestionSchema.parse(message.json());
        const text = JSON.stringify(this.judgement);
        void signAsMainApi(judgementContext(subject, nonce), text).then((signature) =>
          message.respond(signedPayload(signature, text)),
        );
      },
    });
    this.#end = () => subscription.unsubscribe();
  }

  /** Makes the buckets of the grants, also again when they are gone. That of databases each service makes where NATS has no users. */
  async makeBuckets(): Promise<void> {
    const { nats, topology } = this.#place;
    const manager = await jetstreamManager(nats);
    const { grants, grantAcks } = topology.buckets;
    for (const bucket of [grants, grantAcks])
      await manager.streams.add({
        ...(bucket === grants && {
          republish: {
            src: `$KV.${grants}.>`,
            dest: `${topology.subjects.grantsStored}.>`,
            headers_only: true,
          },
        }),
        name: `KV_${bucket}`,
        subjects: [`$KV.${bucket}.>`],
        max_msgs_per_subject: 1,
        allow_rollup_hdrs: true,
        allow_direct: true,
      });
  }

  close(): void {
    this.#end();
  }
}
