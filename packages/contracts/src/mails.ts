import { z } from 'zod';
import {
  deploymentIdSchema,
  divisionIdSchema,
  environmentIdSchema,
  invitationIdSchema,
  refSchema,
  tenantIdSchema,
} from './ids.ts';
import { mailAddressSchema } from './mail-address.ts';

/** people follow what a mail links to */
const webPage = z.url({ protocol: /^https?$/ });
/** the page of the console that it is about; what a former release sends has none */
const linked = { url: webPage.optional() };

/**
 * Mails that a service asks the notifier to send. What they say may be secret (a one-time code), so it travels sealed
 * (a JWE under a key that only sender and notifier have) and stands nowhere in clear.
 */
export const mailContents = {
  /** the one-time code that deleting a protected resource needs (interface, 4.1 rule 4) */
  protection_code: z.object({
    tenant: z.string(),
    /** what would be deleted, such as "division" */
    kind: z.string(),
    name: z.string(),
    code: z.string(),
    valid_minutes: z.int(),
  }),
  /** a person is invited into a tenant */
  invitation: z.object({
    tenant: z.string(),
    invited_by: z.string(),
    url: webPage,
    expires_at: z.iso.datetime(),
  }),
  /** to the owner: a person asks to join, or has joined, by the tenant's join policy */
  join_requested: z.object({ tenant: z.string(), name: z.string(), email: z.string(), ...linked }),
  member_joined: z.object({ tenant: z.string(), name: z.string(), email: z.string(), ...linked }),
  /** to a person: another identity provider can sign them in */
  provider_linked: z.object({ name: z.string(), source: z.string(), url: webPage }),
  /** to the billing address of a tenant, else to the tenant's */
  invoice_issued: z.object({
    tenant: z.string(),
    reference: z.string(),
    month: z.string(),
    total_usd: z.string(),
    due_at: z.iso.datetime(),
    ...linked,
  }),
  /** to the address that a tenant had until then */
  tenant_email_changed: z.object({ tenant: z.string(), email: z.string(), changed_by: z.string() }),
  /** to whom invoices go: a card was not charged */
  payment_failed: z.object({
    tenant: z.string(),
    invoice: z.string(),
    amount: z.string(),
    reason: z.string(),
    next_attempt_at: z.iso.datetime().nullable(),
    ...linked,
  }),
  payment_overdue: z.object({ tenant: z.string(), invoice: z.string(), amount: z.string(), ...linked }),
} as const;
export type MailTemplate = keyof typeof mailContents;
export type MailContent<Template extends MailTemplate> = z.infer<(typeof mailContents)[Template]>;

/** What a mail is about: where it is recorded when it cannot be delivered. */
export const mailAboutSchema = z.object({
  tenant_id: tenantIdSchema,
  division: refSchema(divisionIdSchema).nullable().optional(),
  environment: refSchema(environmentIdSchema).nullable().optional(),
  deployment: refSchema(deploymentIdSchema).extend({ uid: z.uuid() }).nullable().optional(),
  invitation_id: invitationIdSchema.optional(),
});
export type MailAbout = z.infer<typeof mailAboutSchema>;

/** The data of a message on the mails stream; `sealed` opens to the JSON of the template's content. */
export const mailSchema = z.object({
  template: z.enum(Object.keys(mailContents) as [MailTemplate, ...MailTemplate[]]),
  to: mailAddressSchema,
  sealed: z.string().max(100_000),
  /** absent in what no tenant has to know of */
  about: mailAboutSchema.optional(),
});
export type Mail = z.infer<typeof mailSchema>;
