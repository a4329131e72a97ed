import type { IdentityId, UserId } from '@sluice/contracts';
import { IsNull, Not } from 'typeorm';
import type { Database } from './database.ts';
import { newRow, pick, uniquely } from './rows.ts';
import { bigint, id, nullable, table, text, time, type RowOf } from './columns.ts';

/** The account of a user at an identity provider. */
export const Identity = table('identities', {
  id: id<IdentityId>(),
  user_id: bigint<UserId>(),
  /** the identity provider */
  source: text(),
  subject: text(),
  email: nullable(text()),
  /** the domain that the user claims for a tenant */
  corporate_domain: nullable(text()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type IdentityRow = RowOf<typeof Identity>;

/** The claims of a provider about a person. */
export type ProvidedIdentity = Pick<IdentityRow, 'source' | 'subject' | 'email' | 'corporate_domain'> & {
  email_verified: boolean;
};

export async function findUserOf(
  db: Database,
  { source, subject }: Pick<IdentityRow, 'source' | 'subject'>,
): Promise<UserId | undefined> {
  return (await db.manager.findOneBy(Identity, { source, subject }))?.user_id;
}

export const listIdentities = (db: Database, userId: UserId) =>
  db.manager.find(Identity, { where: { user_id: userId }, order: { id: 'ASC' } });

/** The addresses that providers have verified of the identities that a user has now. No other address of theirs decides anything. */
export async function listVerifiedAddresses(db: Database, userId: UserId): Promise<string[]> {
  return (await listIdentities(db, userId)).flatMap(({ email }) => email ?? []);
}

/** The corporate domain that a provider has vouched for. */
export async function findCorporateDomain(db: Database, userId: UserId): Promise<string | null> {
  const identity = await db.manager.findOne(Identity, {
    where: { user_id: userId, corporate_domain: Not(IsNull()) },
    order: { id: 'ASC' },
  });
  return identity?.corporate_domain ?? null;
}

/** Stores another identity of a user, with its address if that is verified. @throws Problem `account_exists` when it is in use */
export async function insertIdentity(
  db: Database,
  userId: UserId,
  identity: ProvidedIdentity,
): Promise<IdentityRow> {
  const { source, subject } = identity;
  const row = newRow(db, Identity, { user_id: userId, source, subject, ...claimsOf(identity) });
  await uniquely('identities_subject_key', db.manager.insert(Identity, row), 'account_exists');
  return row;
}

/** Stores what a provider says now of an identity. @returns false when there is none any more */
export async function updateIdentity(db: Database, identity: ProvidedIdentity): Promise<boolean> {
  const { source, subject } = identity;
  return (await db.manager.update(Identity, { source, subject }, claimsOf(identity))).affected === 1;
}

const claimsOf = ({ email, email_verified, corporate_domain }: ProvidedIdentity) => ({
  email: email_verified ? email : null,
  corporate_domain,
});

export const deleteIdentity = (db: Database, id: IdentityId) => db.manager.delete(Identity, { id });

/** What is held of a user's identities, for themselves. */
export async function exportIdentities(db: Database, userId: UserId) {
  const identities = await listIdentities(db, userId);
  return identities.map((row) =>
    pick(row, 'source', 'subject', 'email', 'corporate_domain', 'created_at', 'updated_at'),
  );
}
