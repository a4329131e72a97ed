import { chmod, mkdir } from 'node:fs/promises';
import { natsConfiguration } from '@sluice/embedded';
import { writePrivateFile } from '@sluice/system';
import { databaseSettingsOf } from '../databases.ts';
import { operatorSeed } from '../nats-users.ts';
import { keptServiceSecrets } from '../service-secrets.ts';
import { home, postgres, regions, secretFile, services, superuserPassword } from './installation.ts';

/**
 * Makes the keys and passwords of an installation at its first start and keeps them. Each service gets its own in a volume that it alone
 * mounts, a file per setting. Run again it changes nothing but what a newer release needs besides.
 */

await mkdir(home.path('secrets'), { recursive: true, mode: 0o700 });
const secrets = await keptServiceSecrets(home, regions);
for (const service of services) {
  const settings = {
    ...secrets.environmentOf(service.name),
    ...(await databaseSettingsOf(home, service, postgres)),
  };
  for (const [name, value] of Object.entries(settings))
    await writePrivateFile(secretFile(service.name, name), `${value}\n`);
  await writePrivateFile(secretFile('admin', `DATABASE_URL.${service.name}`), `${settings.DATABASE_URL}\n`);
}
await writePrivateFile(secretFile('admin', 'NATS_NKEY_SEED'), `${await operatorSeed(home)}\n`);

const jetstream = { jetstream: { store_dir: '/data' }, http: '127.0.0.1:8222' };
await writePrivateFile(secretFile('nats', 'nats.conf'), natsConfiguration(secrets.natsUsers, jetstream));

// PostgreSQL's image has a user of its own, to whom nothing can be given here; no other service mounts this volume
const password = secretFile('postgres', 'password');
await writePrivateFile(password, `${await superuserPassword()}\n`);
await chmod(password, 0o444);
