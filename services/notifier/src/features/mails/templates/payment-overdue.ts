import { quoted } from '../../../wording.ts';
import { action, mailTemplate, paragraph } from '../mail-template.ts';

/** To whom the invoices of a tenant go: one is not paid in time. */
export const paymentOverdue = mailTemplate('payment_overdue', ({ tenant, invoice, amount, url }) => ({
  subject: `Invoice ${invoice} is overdue`,
  parts: [
    paragraph(
      `The invoice ${invoice} of the tenant ${quoted(tenant)} on Sluice, $${amount}, is overdue. Deployments continue, but none ` +
        'is created and none gets a higher price until it is paid.',
    ),
    paragraph('Save a card in the tenant’s billing, which is charged at once, or transfer the amount.'),
    ...action('Open the payment page', url),
  ],
}));
