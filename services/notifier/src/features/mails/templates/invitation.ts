import { moment, quoted } from '../../../wording.ts';
import { mailTemplate, note, paragraph } from '../mail-template.ts';

/** To a person who is invited into a tenant. */
export const invitation = mailTemplate('invitation', ({ tenant, invited_by, url, expires_at }) => ({
  subject: `${invited_by} invites you to ${quoted(tenant)} on Sluice`,
  parts: [
    paragraph(`${invited_by} invites you to become a member of the tenant ${quoted(tenant)} on Sluice.`),
    { kind: 'action', label: 'Look at the invitation', url },
    paragraph(`The invitation is open until ${moment(new Date(expires_at))}.`),
    note('If you do not know who this is, do nothing: you become a member only by accepting.'),
  ],
}));
