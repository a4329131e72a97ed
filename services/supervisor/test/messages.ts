import { jetstreamManager } from '@nats-io/jetstream';
import type { Region } from './region.ts';

/** The messages of a stream that are about one deployment, in order. */
export async function messagesAbout<Content>(
  { nats, names }: Pick<Region, 'nats' | 'names'>,
  stream: 'reports' | 'events',
  deploymentId: number,
): Promise<Content[]> {
  const { name } = names.streams[stream];
  const { streams } = await jetstreamManager(nats);
  const { state } = await streams.info(name);
  const found: Content[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const message = await streams.getMessage(name, { seq });
    if (message?.string().includes(String(deploymentId))) found.push(message.json<Content>());
  }
  return found;
}
