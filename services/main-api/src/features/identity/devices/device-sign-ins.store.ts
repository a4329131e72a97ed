import type { UserId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { bigint, integer, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';
import { changeRows, firstOf, insertRow } from '@sluice/main-store/rows';

/** `taken`: approved, and the terminal has its token */
export type DeviceStatus = 'pending' | 'approved' | 'denied' | 'taken';

/** A terminal that asks to be signed in. */
export const DeviceSignIn = table('device_sign_ins', {
  device_code_sha256: text({ primary: true }),
  user_code_sha256: text(),
  /** of the session that an approval opens */
  token_sha256: text(),
  machine: text(),
  /** where it was begun */
  address: nullable(text()),
  network: text(),
  status: text<DeviceStatus>(),
  /** who has decided */
  user_id: nullable(bigint<UserId>()),
  /** the pause between two polls that is asked for */
  poll_seconds: integer(),
  polled_at: nullable(time()),
  created_at: time(),
  expires_at: time(),
});
export type DeviceSignInRow = RowOf<typeof DeviceSignIn>;

/** How many wait for a decision. New ones wait for each other until their transactions end, so that none is missed. */
export async function countWaiting(db: Database, network: string, now: Date) {
  await db.query("SELECT pg_advisory_xact_lock(hashtext('device_sign_ins'))");
  const [counts] = await db.query<{ here: number; everywhere: number }>(
    `SELECT count(*) FILTER (WHERE network = $1) AS here, count(*) AS everywhere
     FROM device_sign_ins WHERE expires_at > $2 AND status = 'pending'`,
    [network, now],
  );
  return counts ?? { here: 0, everywhere: 0 };
}

export const insertDeviceSignIn = (db: Database, row: DeviceSignInRow) =>
  insertRow(db, DeviceSignIn, row, 'device_sign_ins_user_code_sha256_key', 'unavailable');

export const findByUserCode = (db: Database, userCodeSha256: string) =>
  db.manager.findOneBy(DeviceSignIn, { user_code_sha256: userCodeSha256 });

const lock = (db: Database, column: keyof DeviceSignInRow, hash: string) =>
  firstOf(db.query<DeviceSignInRow>(`SELECT * FROM device_sign_ins WHERE ${column} = $1 FOR UPDATE`, [hash]));

export const lockByUserCode = (db: Database, hash: string) => lock(db, 'user_code_sha256', hash);
export const lockByDeviceCode = (db: Database, hash: string) => lock(db, 'device_code_sha256', hash);

export const decide = (
  db: Database,
  { device_code_sha256 }: DeviceSignInRow,
  changes: { status: DeviceStatus; user_id: UserId },
) => db.manager.update(DeviceSignIn, { device_code_sha256 }, changes);

export const recordPoll = (
  db: Database,
  { device_code_sha256 }: DeviceSignInRow,
  changes: { polled_at: Date; poll_seconds: number },
) => db.manager.update(DeviceSignIn, { device_code_sha256 }, changes);

/** Of several that poll an approved sign-in at a time, one takes it. */
export const takeApproved = (db: Database, device_code_sha256: string) =>
  firstOf(changeRows(db, DeviceSignIn, { device_code_sha256, status: 'approved' }, { status: 'taken' }));
