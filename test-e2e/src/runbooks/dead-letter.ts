import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { eventually } from '@sluice/testing';

/**
 * Publishes an event of main-api that lacks its time, and waits until audit has dead-lettered it.
 * @param seed that of the user nats-operator
 * @returns its number
 */
export async function deadLetter(servers: string, seed: string, tenant: number): Promise<number> {
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
  // a tunnel may not be open yet
  const nats = await eventually(() => connect({ servers, authenticator, timeout: 10_000 }));
  try {
    const { streams } = await jetstreamManager(nats);
    const last = async () => {
      const request = { last_by_subj: 'sluice.dead.audit' };
      return (await streams.getMessage('SLUICE_DEAD_LETTERS', request).catch(() => null))?.seq ?? 0;
    };
    const before = await last();
    const type = 'division_created';
    const subject = `sluice.events.main-api.${tenant}.${type}`;
    const text = JSON.stringify({ id: randomUUID(), type, correlation_id: null });
    await jetstream(nats).publish(subject, text);
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
