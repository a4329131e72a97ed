import type { Schedule } from '@sluice/controller';
import type { AuditLog } from './features/audit-log/audit-log.service.ts';
import type { Counts } from './features/audit-log/counts.ts';
import type { Heads } from './features/heads/heads.service.ts';

interface Parts {
  counts: Counts;
  auditLog: AuditLog;
  /** undefined where heads are not published */
  heads: Heads | undefined;
}

/** Schedules the periodic jobs of the audit service. Sinks are a work queue (`features/sinks/sink-queue.ts`). */
export function scheduleJobs(schedule: Schedule, { counts, auditLog, heads }: Parts): void {
  schedule.add(auditLog.job);
  const counting = schedule.add(counts.job);
  counts.onGrown(() => counting.wake());
  if (heads) schedule.add(heads.job);
}
