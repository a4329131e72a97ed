import { listed, moment, quoted } from '../../../wording.ts';
import { by, fact, type Fact, type Texts } from './notification-text.ts';
import { ofDivision, theTenant } from './places.ts';

type Changes = Record<string, unknown>;

/** `join_policy` as a person would call it: `Join policy`. */
function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `description and email`, as a sentence calls what was changed. */
const fieldsOf = (changes: Changes) =>
  listed(Object.keys(changes).map((field) => labelOf(field).toLowerCase()));

const changesOf = (changes: Changes): Fact[] =>
  Object.entries(changes).map(([field, value]) => fact(labelOf(field), shown(value)));

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The tenant's own configuration, its divisions and their environments. */
export const organizationTexts = {
  tenant_config_updated: (event) => ({
    subject: `The configuration of ${theTenant(event.data)} was changed`,
    paragraphs: [
      `Changed${by(event)}: ${fieldsOf(event.data.changes)}. It decides who may be invited and who joins by themselves.`,
      'If that was not intended, set it back in the tenant’s configuration.',
    ],
    facts: changesOf(event.data.changes),
  }),
  division_created: (event) => ({
    subject: `Division ${quoted(event.data.name)} was created`,
    paragraphs: [
      `The division ${quoted(event.data.name)} was created${by(event)}.`,
      'Create environments in it, and give members roles there.',
    ],
  }),
  division_updated: (event) => ({
    subject: `Division ${quoted(event.division?.name ?? '')} was changed`,
    paragraphs: [
      `Of the division ${quoted(event.division?.name ?? '')}, this was changed${by(event)}: ${fieldsOf(event.data.changes)}.`,
      'If that was not intended, change it back.',
    ],
    facts: changesOf(event.data.changes),
  }),
  division_deleted: (event) => ({
    subject: `Division ${quoted(event.data.name)} was deleted`,
    paragraphs: [
      `The division ${quoted(event.data.name)} was deleted${by(event)}, with its environments.`,
      'That cannot be undone. If it was not intended, find out who did it: the audit log has the entry.',
    ],
  }),
  environment_created: (event) => ({
    subject: `Environment ${quoted(event.data.name)} was created`,
    paragraphs: [
      `The environment ${quoted(event.data.name)}${ofDivision(event)} was created${by(event)}.`,
      'Deployments can be created in it now.',
    ],
  }),
  environment_updated: (event) => ({
    subject: `Environment ${quoted(event.environment?.name ?? '')} was changed`,
    paragraphs: [
      `Of the environment ${quoted(event.environment?.name ?? '')}${ofDivision(event)}, this was changed${by(event)}: ` +
        `${fieldsOf(event.data.changes)}.`,
      'If that was not intended, change it back.',
    ],
    facts: changesOf(event.data.changes),
  }),
  environment_deleted: (event) => ({
    subject: `Environment ${quoted(event.data.name)} was deleted`,
    paragraphs: [
      `The environment ${quoted(event.data.name)}${ofDivision(event)} was deleted${by(event)}.`,
      'That cannot be undone. If it was not intended, find out who did it: the audit log has the entry.',
    ],
  }),
  invoice_issued: ({ data: { reference, month, total_usd, due_at } }) => ({
    subject: `Invoice ${reference} for ${month} was issued`,
    paragraphs: [
      `The invoice ${reference} for ${month} comes to ${total_usd} USD, due on ${moment(new Date(due_at))}.`,
      'It is under the billing of the tenant, with a PDF and the usage behind each of its lines.',
    ],
    facts: [fact('Invoice', reference), fact('Total', `${total_usd} USD`)],
  }),
  channel_unsubscribed: ({ data: { name } }) => ({
    subject: `An address has unsubscribed: notification channel ${name}`,
    paragraphs: [
      `The address of the notification channel ${quoted(name)} has unsubscribed. No channel of the tenant sends mails to it any more.`,
      'Give the channel another address. The reader of the mails can undo this by the link in each of them.',
    ],
    facts: [fact('Channel', name)],
  }),
} satisfies Partial<Texts>;
