import { join } from 'node:path';
import type { Log } from '@sluice/system/log';
import type { OwnLogin, OwnLogins } from '../runtimes/runtime.ts';
import type { Sealing } from '../sealing.ts';

/** The login of the connectors runtime; created once, and kept while the node's sealing key is there. */
export async function connectorsLogin(
  home: string,
  logins: OwnLogins,
  sealing: Sealing,
  log: Log,
): Promise<OwnLogin> {
  const path = join(home, 'connectors-login');
  try {
    const secret = await sealing.readFile(path);
    if (secret !== null) return await logins.restore(secret);
  } catch {
    log.error('the login of the connectors is damaged or of another sealing key, making a new one', { path });
  }
  const login = await logins.create();
  await sealing.writeFile(path, login.secret);
  return login;
}
