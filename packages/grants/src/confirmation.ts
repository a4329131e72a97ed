import { randomUUID } from 'node:crypto';
import {
  bucketQuestionSchema,
  judgementContext,
  judgementSchema,
  partsOfSigned,
  signedPayload,
  type Judgement,
  type SeenBucket,
  type Sign,
  type Topology,
  type Verify,
} from '@sluice/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Log } from '@sluice/service';

/**
 * Asks main-api whether the bucket that an instance sees is the one that main-api keeps. No other service knows: a server
 * that was restored from older data looks like one that was never changed since.
 * @throws Error when no answer comes in time, or none that main-api has signed
 */
export async function confirmBucket(
  nats: NatsConnection,
  { subjects }: Topology,
  verify: Verify,
  seen: SeenBucket,
  milliseconds: number,
): Promise<Judgement> {
  const nonce = randomUUID();
  const answer = await nats.request(subjects.grantsConfirmation, JSON.stringify({ nonce, ...seen }), {
    timeout: milliseconds,
  });
  const { signature, text } = partsOfSigned(answer.string());
  const signer = await verify(signature, judgementContext(subjects.grantsConfirmation, nonce), text);
  if (signer !== 'main-api') throw new Error(`${signer} has answered for main-api`);
  return judgementSchema.parse(JSON.parse(text));
}

/** Answers instances, as any of main-api's replicas does. @returns ends it */
export function answerConfirmations(
  nats: NatsConnection,
  { subjects }: Topology,
  sign: Sign,
  judge: (seen: SeenBucket) => Promise<Judgement>,
  log: Log,
): () => void {
  const subject = subjects.grantsConfirmation;
  const subscription = nats.subscribe(subject, {
    queue: 'main-api',
    callback(error, message) {
      if (error) {
        log.warn('a question about the grants could not be received', { error });
        return;
      }
      const respond = async () => {
        const { nonce, ...seen } = bucketQuestionSchema.parse(message.json());
        const { current, epoch } = await judge(seen);
        const text = JSON.stringify({ current, epoch });
        message.respond(signedPayload(await sign(judgementContext(subject, nonce), text), text));
      };
      // the requester asks again
      respond().catch((failure: unknown) =>
        log.warn('a question about the grants could not be answered', { error: failure }),
      );
    },
  });
  return () => subscription.unsubscribe();
}
