import { table, time, uuid } from '../../stores/columns.ts';

export const UndeliverableMail = table('undeliverable_mails', {
  mail_id: uuid({ primary: true }),
  reported_at: time(),
});
