/**
 * The migrations of release 0.1.0, of the kit and of all services. That release keeps account of them in the table
 * `migrations`, and does not start where it finds others there: later ones are recorded elsewhere, so that it starts.
 */
export const ofTheFirstRelease: ReadonlySet<string> = new Set([
  'kit-001-messaging',
  'kit-002-idempotency',
  'kit-003-ordering-key',
  'kit-004-kept-messages',
  // audit
  'own-001-entries',
  'own-002-deleted-tenants',
  'own-003-closed-logs',
  // audit and supervisor
  'own-020-report-subjects',
  // main-api
  'own-001-identity',
  'own-002-organization',
  'own-003-deployments',
  'own-010-people',
  'own-020-accounts',
  'own-030-protection',
  'own-041-grants',
  'own-050-mail-allowances',
  'own-060-invitations',
  'own-061-linking',
  'own-062-division-subdomains',
  // supervisor
  'own-001-deployments',
  'own-002-conditions',
  'own-050-ports',
]);
