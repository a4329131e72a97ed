import type { DeploymentId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import type { Log } from '@sluice/system/log';
import type { Database } from './tables.ts';
import { claimRecord, deleteUnneeded, markSet, takeUnneeded, type RecordName } from './acme-records.store.ts';
import type { DnsProvider } from './dns-provider.ts';
import type { FindInvisible } from './visibility.ts';

export interface RecordsOptions {
  database: Database;
  provider: DnsProvider;
  findInvisible: FindInvisible;
  /** how long a record that was set takes to be everywhere */
  spreadSeconds: number;
  now: () => Date;
}

export interface Lacking {
  waitingFor: string;
  seconds: number;
}

export type ChallengeRecords = ReturnType<typeof challengeRecords>;

/** after so long a record that no name server shows is set once more */
const setAgainSeconds = 300;
const lookAgainSeconds = 3;

export function challengeRecords(options: RecordsOptions) {
  const { database, provider, findInvisible, spreadSeconds, now } = options;

  async function set(deploymentId: DeploymentId, record: RecordName, signal: AbortSignal): Promise<Date> {
    const since = await claimRecord(database, deploymentId, record);
    if (since) return since;
    await provider.present(record, signal);
    const at = now();
    await markSet(database, record, at);
    return at;
  }

  return {
    /** Has them set. @returns undefined once they can be looked at */
    async present(
      deploymentId: DeploymentId,
      records: readonly RecordName[],
      signal: AbortSignal,
    ): Promise<Lacking | undefined> {
      const since: number[] = [];
      for (const record of records) since.push((await set(deploymentId, record, signal)).getTime());
      const age = (now().getTime() - Math.max(...since)) / 1_000;
      if (age < spreadSeconds)
        return { waitingFor: 'its DNS records to be everywhere', seconds: spreadSeconds - age };
      const [hidden] = await findInvisible(records);
      if (!hidden) return undefined;
      if (age > spreadSeconds + setAgainSeconds) {
        for (const record of records) await markSet(database, record, null);
        throw new Error(`the DNS record ${hidden.fqdn} was set, and not all name servers show it`);
      }
      return { waitingFor: `the DNS record ${hidden.fqdn}`, seconds: lookAgainSeconds };
    },
  };
}

/** records that one replica takes away in a round, and how long others leave them to it */
const round = { limit: 20, seconds: 60 };

/** Removes the records that no order needs, also those whose deployment or replica is gone. */
export function unneededRecordsJob({
  database,
  provider,
  log,
}: Pick<RecordsOptions, 'database' | 'provider'> & { log: Log }): Job {
  async function tidy(stopping: AbortSignal): Promise<void> {
    for (const record of await takeUnneeded(database, round)) {
      try {
        await provider.remove(record, stopping);
        await deleteUnneeded(database, record);
      } catch (error) {
        if (stopping.aborted) return;
        log.warn('a DNS record that proves a name could not be removed; it will be tried again', {
          fqdn: record.fqdn,
          error,
        });
      }
    }
  }

  return { name: 'unneeded_dns_records', every: 1, run: tidy };
}
