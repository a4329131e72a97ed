import { EntitySchema } from 'typeorm';

export interface UndeliverableMailRow {
  /** the id of the message that asked for it */
  mail_id: string;
  reported_at: Date;
}

export const UndeliverableMail = new EntitySchema<UndeliverableMailRow>({
  name: 'undeliverable_mail',
  tableName: 'undeliverable_mails',
  columns: {
    mail_id: { type: 'uuid', primary: true },
    reported_at: { type: 'timestamptz' },
  },
});
