import { bigint, boolean, integer, table, time } from '../../stores/columns.ts';

/** What of a deployment's usage in a month is invoiced. */
export const UsageMonth = table('usage_months', {
  billed_id: bigint<number>({ primary: true }),
  month: time({ primary: true }),
  closings: integer({ default: 0 }),
  open: boolean({ default: true }),
});
