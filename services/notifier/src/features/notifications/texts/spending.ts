import { moment, quoted } from '../../../wording.ts';
import { fact, type Texts } from './notification-text.ts';
import { theDeployment } from './places.ts';

/** What things cost, and will cost. */
export const spendingTexts = {
  prices_announced: ({ data: { list, valid_from } }) => {
    const from = moment(new Date(valid_from));
    const valid = list === null ? 'the prices of all tenants are valid again' : 'other prices are valid';
    return {
      subject: `Prices change on ${from}`,
      paragraphs: [
        `From ${from} on ${valid}, also for deployments that run.`,
        'Previews and forecasts know the change; the prices can be read with it in the Main API.',
      ],
      facts: [fact('Valid from', from), ...(list === null ? [] : [fact('Price list', String(list))])],
    };
  },
  billing_limit_near: (event) => {
    const { name, spend_limit, spent, percent } = event.data;
    return {
      subject: `Deployment ${quoted(name)} has cost ${percent} % of its spend limit`,
      paragraphs: [
        `${theDeployment(event, event.data)} has cost $${spent.toFixed(2)} this month, of at most $${spend_limit.toFixed(2)}.`,
        'At its limit its brokers are stopped until the next month begins. Raise the limit if that is not intended.',
      ],
      facts: [
        fact('Spent this month', `$${spent.toFixed(2)}`),
        fact('Spend limit', `$${spend_limit.toFixed(2)} a month`),
      ],
    };
  },
  billing_budget_reached: ({ data: { name, month, amount, percent, spent } }) => ({
    subject: `Budget ${quoted(name)} has reached ${percent} % in ${month}`,
    paragraphs: [
      `What the budget ${quoted(name)} covers has cost $${spent} in ${month}, of $${amount}.`,
      'Nothing is stopped: a budget only notifies. A spend limit of a deployment stops it.',
    ],
    facts: [fact('Spent', `$${spent}`), fact('Budget', `$${amount} a month`)],
  }),
  billing_budget_forecast: ({ data: { name, month, amount, forecast } }) => ({
    subject: `Budget ${quoted(name)} will be exceeded in ${month}`,
    paragraphs: [
      `If everything runs on as it does now, what the budget ${quoted(name)} covers costs $${forecast} in ${month}, of $${amount}.`,
      'Nothing is stopped: a budget only notifies. A spend limit of a deployment stops it.',
    ],
    facts: [fact('Forecast', `$${forecast}`), fact('Budget', `$${amount} a month`)],
  }),
} satisfies Partial<Texts>;
