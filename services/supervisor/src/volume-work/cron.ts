import { Cron } from 'croner';

/** the least time between two backups, of which each stops the brokers for a moment; hours */
const leastHours = 1;
/** times that are looked at to find the least pause between two */
const mostLookedAt = 200;

/** When a schedule comes next after `from`; null when it never does. @throws Error when the text is no schedule */
export function nextTime(cron: string, from: Date): Date | null {
  return parsed(cron).nextRun(from);
}

/** Why a schedule is not taken, as people read it; null when it is. */
export function cronIssue(cron: string, from: Date): string | null {
  try {
    const times = parsed(cron).nextRuns(mostLookedAt, from);
    if (times.length === 0) return 'never comes';
    const isTooClose = times.some((time, index) => {
      const former = times[index - 1];
      return former && time.getTime() - former.getTime() < leastHours * 3_600_000;
    });
    return isTooClose ? `has to leave ${leastHours} h between two backups` : null;
  } catch {
    return 'has to be five fields: minute, hour, day of the month, month, day of the week';
  }
}

const parsed = (cron: string) => new Cron(cron, { mode: '5-part', timezone: 'UTC', paused: true });
