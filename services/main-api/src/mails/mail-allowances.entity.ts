import { EntitySchema } from 'typeorm';

/** How many mails were sent of late to one address, or by one tenant. */
export interface MailAllowanceRow {
  subject: string;
  /** when the allowance is whole again */
  whole_at: Date;
}

export const MailAllowance = new EntitySchema<MailAllowanceRow>({
  name: 'mail_allowance',
  tableName: 'mail_allowances',
  columns: {
    subject: { type: 'text', primary: true },
    whole_at: { type: 'timestamptz' },
  },
});
