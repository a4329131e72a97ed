import {
  needJson,
  transform,
  type ContentSchema,
  type OutgoingMessage,
  type StreamBinding,
  type Transforms,
} from '@sluice/connectors';
import type { Delivery } from '../runtimes/broker-client.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

type Content = { payload: Uint8Array } | null;

/** The content is not what its schema says. The message is the reason of a dead letter. */
export class Undecodable extends Error {}

export function readContent(
  schema: ContentSchema,
  transforms: Transforms,
  payload: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Content {
  const json = decode(schema, payload);
  if (!transform(transforms, json, headers)) return null;
  return { payload: needJson(transforms) ? Buffer.from(JSON.stringify(json)) : payload };
}

function decode(schema: ContentSchema, payload: Uint8Array): unknown {
  if (schema === 'raw') return undefined;
  let text: string;
  try {
    text = utf8.decode(payload);
  } catch {
    throw new Undecodable('The content is not UTF-8');
  }
  if (schema === 'text') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Undecodable('The content is not JSON');
  }
}

export function outgoing({ stream }: StreamBinding, message: Delivery): OutgoingMessage {
  const { timestamp, sequence, topic, payload, headers } = message;
  return {
    // with the time, since a stream that is created again counts from 1 again
    id: `${stream}.${sequence}.${timestamp.toString(36)}`,
    ...{ stream, topic, payload, headers },
    published_at: new Date(Number(timestamp / 1_000_000n)),
    published_ns: timestamp,
  };
}
