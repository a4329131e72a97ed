import { moment, quoted } from '../../../wording.ts';
import { mailTemplate, note, paragraph } from '../mail-template.ts';

/** To the address that a tenant had until then. */
export const tenantEmailChanged = mailTemplate(
  'tenant_email_changed',
  ({ tenant, email, changed_by }, changed) => ({
    subject: `The mail address of ${quoted(tenant)} was changed`,
    parts: [
      paragraph(
        `${changed_by} changed the mail address of the tenant ${quoted(tenant)} on Sluice to ${email} on ` +
          `${moment(changed)}. Codes for deletions and notices go there from now on; codes that were sent to this ` +
          'address are void.',
      ),
      note('Only the owner of the tenant can do that. If it should not have been done, talk to them.'),
    ],
  }),
);
