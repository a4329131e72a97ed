// The templates of all mails, each under the name that the contracts give it.
export { invitation } from './invitation.ts';
export { invoiceIssued as invoice_issued } from './invoice-issued.ts';
export { joinRequested as join_requested } from './join-requested.ts';
export { memberJoined as member_joined } from './member-joined.ts';
export { paymentFailed as payment_failed } from './payment-failed.ts';
export { paymentOverdue as payment_overdue } from './payment-overdue.ts';
export { protectionCode as protection_code } from './protection-code.ts';
export { providerLinked as provider_linked } from './provider-linked.ts';
export { tenantEmailChanged as tenant_email_changed } from './tenant-email-changed.ts';
