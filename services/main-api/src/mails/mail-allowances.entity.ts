import { table, text, time } from '../stores/columns.ts';

export const MailAllowance = table('mail_allowances', {
  subject: text({ primary: true }),
  /** when the allowance is whole again */
  whole_at: time(),
});
