import { quoted } from '../../../wording.ts';
import { action, mailTemplate, note, paragraph } from '../mail-template.ts';

/** To the owner of a tenant: a person of its mail domain has become a member by the join policy. */
export const memberJoined = mailTemplate('member_joined', ({ tenant, name, email, url }) => ({
  subject: `${name} has joined ${quoted(tenant)}`,
  parts: [
    paragraph(`${name} (${email}) has become a member of the tenant ${quoted(tenant)} on Sluice.`),
    ...action('Look at the members', url),
    note(
      'You get this mail because you own the tenant, whose join policy lets people of its mail domain in. ' +
        'You can change the policy in the tenant’s configuration.',
    ),
  ],
}));
