import { moment } from '../../../wording.ts';
import { fact, type Texts } from './notification-text.ts';

/** The payment of invoices. */
export const billingTexts = {
  payment_failed: ({ data: { invoice, amount, reason, next_attempt_at: next } }) => ({
    subject: `The payment of invoice ${invoice} has failed`,
    paragraphs: [
      `The tenant’s card was not charged with $${amount}: ${reason}. Deployments continue.`,
      next === null
        ? 'It is not tried again with this card. Save another one in the tenant’s billing.'
        : `It is tried again on ${moment(new Date(next))}. To pay earlier, save another card in the tenant’s billing.`,
    ],
    facts: [fact('Invoice', invoice), fact('Amount', `$${amount}`), fact('Reason', reason)],
  }),
  payment_overdue: ({ data: { invoice, amount } }) => ({
    subject: `Invoice ${invoice} is overdue`,
    paragraphs: [
      `The invoice of $${amount} was not paid in time. Deployments continue, but none is created and none gets a higher price until ` +
        'it is paid.',
      'Save a card in the tenant’s billing, which is charged at once, or transfer the amount.',
    ],
    facts: [fact('Invoice', invoice), fact('Amount', `$${amount}`)],
  }),
} satisfies Partial<Texts>;
