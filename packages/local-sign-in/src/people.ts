/** A person of the first tenant of a local stack. */
export interface Person {
  /** by which the provider knows them */
  subject: 'owner' | 'developer' | 'viewer' | 'billing';
  name: string;
  email: string;
  /** what they may do, as the page for choosing says it */
  role: string;
}

/** Who can sign in on a developer's machine, without a password: only that machine can reach it. */
export const people: readonly Person[] = [
  { subject: 'owner', name: 'Owner', email: 'owner@example.com', role: 'owns the tenant' },
  { subject: 'developer', name: 'Dana Developer', email: 'developer@example.com', role: 'developer' },
  { subject: 'viewer', name: 'Vic Viewer', email: 'viewer@example.com', role: 'viewer' },
  { subject: 'billing', name: 'Bea Billing', email: 'billing@example.com', role: 'billing' },
];
