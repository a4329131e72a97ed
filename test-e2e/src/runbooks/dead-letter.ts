import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { eventually } from '@sluice/testing';

/**
 * Publishes an event that nobody has signed, and waits until audit has dead-lettered it.
 * @param seed of the NATS user that may do everything
 * @returns its number
 */
export async function unsignedEvent(servers: string, seed: string, tenant: number): Promise<number> {
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed.trim()));
  // a tunnel may not be open yet
  const nats = await eventually(() => connect({ servers, authenticator, timeout: 10_000 }));
  try {
    const manager = await jetstreamManager(nats);
    const last = async () =>
      (await manager.streams.getMessage('SLUICE_DEAD_LETTERS', { last_by_subj: 'sluice.dead.audit' }))?.seq ??
      0;
    const before = await last().catch(() => 0);
    await jetstream(nats).publish(
      `sluice.events.${tenant}.division_created`,
      JSON.stringify({ id: randomUUID() }),
    );
    return await eventually(
      async () => {
        const number = await last();
        if (number <= before) throw new Error('audit has not dead-lettered it');
        return number;
      },
      { timeoutMs: 60_000 },
    );
  } finally {
    await nats.close();
  }
}
