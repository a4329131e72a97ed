import { moment, quoted } from '../../../wording.ts';
import { action, mailTemplate, note, paragraph } from '../mail-template.ts';

/** To whom the invoices of a tenant are sent. */
export const invoiceIssued = mailTemplate(
  'invoice_issued',
  ({ tenant, reference, month, total_usd, due_at, url }) => ({
    subject: `Invoice ${reference} of ${quoted(tenant)} for ${month}`,
    parts: [
      paragraph(
        `The invoice ${reference} of the tenant ${quoted(tenant)} on Sluice for ${month} was issued. It comes to ` +
          `${total_usd} USD, due on ${moment(new Date(due_at))}.`,
      ),
      ...action('Open the invoice', url),
      note('Members of the tenant who may read its billing find it there, with a PDF and its lines.'),
    ],
  }),
);
