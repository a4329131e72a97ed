import { quoted } from '../../../wording.ts';
import { action, mailTemplate, note, paragraph } from '../mail-template.ts';

/** To the owner of a tenant: a person of its mail domain asks to become a member. */
export const joinRequested = mailTemplate('join_requested', ({ tenant, name, email, url }) => ({
  subject: `${name} asks to join ${quoted(tenant)}`,
  parts: [
    paragraph(`${name} (${email}) asks to become a member of the tenant ${quoted(tenant)} on Sluice.`),
    paragraph('Approve or reject the request among the tenant’s join requests.'),
    ...action('Look at the join requests', url),
    note('You get this mail because you own the tenant. Until you approve the request, it gives no access.'),
  ],
}));
