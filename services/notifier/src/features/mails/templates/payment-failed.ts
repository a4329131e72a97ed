import { moment, quoted } from '../../../wording.ts';
import { action, mailTemplate, note, paragraph } from '../mail-template.ts';

/** To whom the invoices of a tenant go: its card was not charged. */
export const paymentFailed = mailTemplate(
  'payment_failed',
  ({ tenant, invoice, amount, reason, next_attempt_at: next, url }) => ({
    subject: `The payment of invoice ${invoice} has failed`,
    parts: [
      paragraph(
        `The card of the tenant ${quoted(tenant)} on Sluice was not charged with $${amount} for the invoice ${invoice}. Its bank ` +
          `says: ${reason}.`,
      ),
      paragraph(
        next === null
          ? 'It is not tried again with this card. Save another one in the tenant’s billing.'
          : `It is tried again on ${moment(new Date(next))}. To pay earlier, save another card in the tenant’s billing.`,
      ),
      ...action('Open the payment page', url),
      note('Deployments continue.'),
    ],
  }),
);
