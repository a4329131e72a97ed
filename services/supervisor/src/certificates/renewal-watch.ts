import type { Job } from '@sluice/controller';
import type { Log } from '@sluice/service';
import type { Database } from '@sluice/region-store/tables';
import { planRenewal, takeRenewable, type Renewable } from '@sluice/region-store/certificates.store';
import type { CertificateDriver, RenewalWindow } from '@sluice/drivers';

export interface RenewalWatchOptions {
  database: Database;
  certificates: CertificateDriver | undefined;
  /** between two looks at which certificates it is time to ask about */
  everySeconds: number;
  now: () => Date;
  log: Log;
}

/** certificates that a replica asks about in a round, and how long others leave them to it: an authority may be away */
const round = { limit: 50, seconds: 60 * 60 };

/**
 * Asks authorities that say when their certificates are to be renewed: before an authority revokes many, it says so here. Undefined where
 * the driver's authority does not say.
 */
export function renewalsJob(options: RenewalWatchOptions): Job | undefined {
  const { database, certificates, everySeconds, now, log } = options;
  if (!certificates?.renewal) return undefined;
  const ask = certificates.renewal.bind(certificates);

  async function look(signal: AbortSignal): Promise<void> {
    for (const one of await takeRenewable(database, round)) {
      try {
        const window = await ask(one.certificate, signal);
        if (window) await planRenewal(database, one, plan(one, window, now()));
      } catch (error) {
        if (signal.aborted) return;
        const { deployment_id: deployment } = one;
        log.warn('when a certificate is to be renewed could not be asked; it will be tried again', {
          deployment,
          error,
        });
      }
    }
  }

  return { name: 'certificate_renewals', every: everySeconds, run: look };
}

/** At some moment of the window, so that not all come together; what is planned within it stays, and what is due already. */
function plan({ due_at, not_after }: Renewable, { from, to, askAgainSeconds }: RenewalWindow, now: Date) {
  const askAt = new Date(now.getTime() + askAgainSeconds * 1_000);
  const isSound = from < to && from < not_after;
  const isSettled = due_at <= now || (due_at >= from && due_at <= to);
  if (!isSound || isSettled) return { askAt, dueAt: due_at };
  const last = Math.min(to.getTime(), not_after.getTime());
  return { askAt, dueAt: new Date(from.getTime() + Math.random() * (last - from.getTime())) };
}
