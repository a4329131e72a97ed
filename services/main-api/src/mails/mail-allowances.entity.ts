import { table, text, time, type RowOf } from '../stores/columns.ts';

export const MailAllowance = table('mail_allowances', {
  subject: text({ primary: true }),
  /** when the allowance is whole again */
  whole_at: time(),
});
export type MailAllowanceRow = RowOf<typeof MailAllowance>;
