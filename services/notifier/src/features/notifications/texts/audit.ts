import { moment } from '../../../wording.ts';
import { fact, type Texts } from './notification-text.ts';

/** Where the tenant has its audit log sent. */
export const auditTexts = {
  audit_sink_failing: ({ data: { destination, reason, since } }) => ({
    subject: `The audit log cannot be sent to ${destination}`,
    paragraphs: [
      `The sink of the audit log at ${destination} has not taken entries since ${moment(new Date(since))}: ${reason}`,
      'Entries wait and are sent as soon as it takes them, unless their retention is over by then. Look at the sink and at its settings, and try it.',
    ],
    facts: [fact('Sink', destination), fact('Reason', reason), fact('Since', moment(new Date(since)))],
  }),
  audit_sink_recovered: ({ data: { destination, since } }) => ({
    subject: `The audit log is sent to ${destination} again`,
    paragraphs: [
      `The sink of the audit log at ${destination} takes entries again. It had not since ${moment(new Date(since))}.`,
      'Nothing is to be done any more. What waited is being sent, oldest first.',
    ],
    facts: [fact('Sink', destination), fact('Since', moment(new Date(since)))],
  }),
} satisfies Partial<Texts>;
