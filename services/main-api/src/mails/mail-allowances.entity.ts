import { table, text, time, type RowOf } from '../stores/columns.ts';

/** How many mails were sent of late to one address, or by one tenant. */
export const MailAllowance = table('mail_allowances', {
  subject: text({ primary: true }),
  /** when the allowance is whole again */
  whole_at: time(),
});
export type MailAllowanceRow = RowOf<typeof MailAllowance>;
